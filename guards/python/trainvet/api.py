"""What a trainer may call itself. Each function does its work with or without
trainvet run around the process; without a run directory nothing is recorded."""

import atexit
import contextlib
import os
import time

from trainvet import batch, boot, capture, grade, metrics, vocabulary
from trainvet.fault import Fault, QualityFinding, TokenRangeFault

__all__ = ["Fault", "TokenRangeFault", "QualityFinding", "watch", "check_ids", "metric", "step", "evaluating", "taint"]

_shelf = vocabulary.Shelf()


def live():
    """The guards of this process; None where nothing records."""
    run = boot._run
    return run.guards.live if run is not None and run.guards is not None else None


def watch(directory=None, output=True):
    """Brings the guards to life in a process that trainvet run did not start: a
    notebook, a worker of Ray. What it prints is kept too, unless output is False.
    Returns the run directory, for trainvet audit."""
    if boot._run is None:
        if directory is None:
            name = "%s-%d" % (time.strftime("%Y%m%d-%H%M%S"), os.getpid())
            directory = os.environ.get("TRAINVET_RUN") or os.path.join(".trainvet", "runs", name)
        directory = os.path.abspath(directory)  # the trainer may go elsewhere
        os.makedirs(os.path.join(directory, "records"), exist_ok=True)
        kept = capture.begin(directory) if output and "TRAINVET_RUN" not in os.environ else None
        boot.start(directory)
        if kept is not None:
            atexit.register(kept.end)
    return boot._run.directory


def check_ids(ids, tokenizer, width=0):
    """Returns the ids, after a look at each: a TokenRangeFault where no sound
    machine can have produced one, a TypeError where they, or the tokenizer, are
    of a kind that nothing is known of. Width: columns of the model's logits."""
    got = batch.read(ids)
    if got is None:
        raise TypeError("ids that come as %s cannot be looked at" % type(ids).__name__)
    vocab = _shelf.of(tokenizer)
    if vocab is None:
        raise TypeError("%s names no ids that it maps to tokens" % type(tokenizer).__name__)
    if got.n and (got.lo < 0 or got.hi >= vocab.dense):
        sheet = grade.grade_rows(got.rows(), vocab, width, None, got.bits)
        if sheet.grade >= grade.IMPOSSIBLE:
            code = "ids-signature" if sheet.grade == grade.SIGNATURE else "ids-impossible"
            here = live()
            if here is not None:
                here.fault(code, sheet.text, value=sheet.value, row=sheet.row, column=sheet.column)
            raise TokenRangeFault(sheet.text, code, sheet.value, sheet.row, sheet.column)
    return ids


def metric(name, value, n=None, split="", step=None, good=None):
    """Reports a value with the number of samples behind it; a value of none is
    poisoned, whatever it is. Returns the value."""
    here = live()
    if here is not None:
        at = here.step if step is None else step
        here.flush()
        here.out.write("metric", {
            "name": name, "value": float(value), "split": split, "n": -1 if n is None else int(n), "good": -1 if good is None else int(good),
            "step": at, "epoch": float("nan"), "taint": here.taint, "from": "trainer", "where": metrics.where(1),
        })
        if n == 0:
            here.finding("empty-evaluation", "poison", "%s is %r, computed from no sample" % (name, value), metric=name)
    return value


def step(scaler, optimizer):
    """scaler.step and scaler.update as one; whether the step was applied. A
    scaler that is switched off, as the default one is without CUDA, skips none."""
    scaler.step(optimizer)
    skipped = False
    if scaler.is_enabled():
        found = scaler._per_optimizer_states[id(optimizer)]["found_inf_per_device"]
        skipped = any(float(f) > 0 for f in found.values())
    scaler.update()
    return not skipped


@contextlib.contextmanager
def evaluating(model):
    """Evaluation mode, and afterwards the mode that each part had before."""
    modes = [(m, m.training) for m in model.modules()]
    model.eval()
    try:
        yield model
    finally:
        model.train(modes[0][1])
        for m, training in modes:
            m.training = training


def taint(why, device=""):
    """Says that the machine miscomputed, by evidence that guards cannot see."""
    here = live()
    if here is not None:
        here.fault("fault-reported", why)
