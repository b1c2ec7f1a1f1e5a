"""Values that a trainer reports by a framework's own call: the value as it was
computed, with its step, whatever is printed of it.

Of calls within calls (a Trainer that hands its log to TensorBoard and W&B) the
outermost is recorded. A value that still lies on a device is not read: nobody
waits for it here."""

import functools
import os
import sys
import time

from trainvet import caller, defaults, steps

FIRST = 16  # values of a series that are all recorded
EVERY = 1.0  # seconds between those that follow; the last one is recorded at the end
MAX_NAMES = 512
LOGGERS = ("wandb", "mlflow", "tensorboardX", "contextlib", "functools")  # that call themselves


class Guard:
    def __init__(self, live):
        self.live = live
        self.series = {}
        self.computed = set()  # names of values that were 0 and computed
        self.samples = {}  # by prefix of names: samples of the last evaluation
        live.totals.append(self)

    def actions(self):
        return {
            "transformers.trainer": self.transformers,
            "lightning.pytorch.trainer.connectors.logger_connector.logger_connector": self.lightning,
            "pytorch_lightning.trainer.connectors.logger_connector.logger_connector": self.lightning,
            "accelerate.accelerator": lambda m: self.wrap(m.Accelerator, "log", self.of_accelerate),
            "torch.utils.tensorboard.writer": self.tensorboard,
            "tensorboardX.writer": self.tensorboard,
            "wandb.sdk.wandb_run": lambda m: self.wrap(m.Run, "log", self.of_wandb),
            "mlflow.tracking.fluent": self.mlflow,
        }

    def transformers(self, module):
        self.wrap(module.Trainer, "log", self.of_trainer)
        self.wrap(module.Trainer, "evaluation_loop", None, self.evaluated)
        self.wrap(module.Trainer, "prediction_loop", None, self.evaluated)

    def lightning(self, module):
        self.wrap(getattr(module, "_LoggerConnector", None) or module.LoggerConnector, "log_metrics", None, self.of_lightning)

    def tensorboard(self, module):
        self.wrap(module.SummaryWriter, "add_scalar", self.of_tensorboard)
        self.wrap(module.SummaryWriter, "add_scalars", self.of_tensorboards)

    def mlflow(self, module):
        self.wrap(module, "log_metric", self.of_mlflow)
        self.wrap(module, "log_metrics", self.of_mlflows)

    def wrap(self, owner, name, before, after=None):
        """Before is told the arguments; after the result too, where the library
        itself has read what lies on a device."""
        original, guard, local = getattr(owner, name, None), self, self.live.local
        if original is None or getattr(original, "__trainvet__", False):
            return

        @functools.wraps(original)
        def call(*args, **kwargs):
            outermost = not getattr(local, "reporting", False)
            try:
                if outermost and before is not None:
                    before(*args, **kwargs)
            except Exception as e:
                guard.live.report("metrics", e)
            local.reporting = getattr(local, "reporting", False) or before is not None or name == "log_metrics"
            try:
                out = original(*args, **kwargs)
            finally:
                if outermost:
                    local.reporting = False
            try:
                if after is not None and outermost:
                    after(out, *args, **kwargs)
            except Exception as e:
                guard.live.report("metrics", e)
            return out

        call.__trainvet__ = True
        setattr(owner, name, call)

    # What each library's call says.

    def of_trainer(self, trainer, logs, *rest, **kwargs):
        if trainer.is_world_process_zero():
            epoch = logs.get("epoch", trainer.state.epoch)
            self.add_all(logs, "transformers", trainer.state.global_step, epoch, but=("epoch", "step", "total_flos"))

    def evaluated(self, out, trainer, *args, **kwargs):
        n = getattr(out, "num_samples", None)
        for name in getattr(out, "metrics", None) or ():
            self.samples[name] = n if isinstance(n, int) else None

    def of_lightning(self, out, connector, metrics, step=None):
        if connector.trainer.is_global_zero:
            at = step if step is not None else connector.trainer.fit_loop.epoch_loop._batches_that_stepped
            self.add_all(metrics, "lightning", at, metrics.get("epoch"), but=("epoch", "step"))

    def of_accelerate(self, accelerator, values, step=None, *rest, **kwargs):
        if accelerator.is_main_process:
            self.add_all(values, "accelerate", step)

    def of_tensorboard(self, writer, tag, scalar_value, global_step=None, *rest, **kwargs):
        self.add(tag, scalar_value, "tensorboard", global_step)

    def of_tensorboards(self, writer, main_tag, tag_scalar_dict, global_step=None, *rest, **kwargs):
        self.add_all({"%s/%s" % (main_tag, k): v for k, v in tag_scalar_dict.items()}, "tensorboard", global_step)

    def of_wandb(self, run, data, step=None, *rest, **kwargs):
        self.add_all(data, "wandb", step)

    def of_mlflow(self, key, value, step=None, *rest, **kwargs):
        self.add(key, value, "mlflow", step)

    def of_mlflows(self, metrics, step=None, *rest, **kwargs):
        self.add_all(metrics, "mlflow", step)

    # What is done with it.

    def add_all(self, values, source, step=None, epoch=None, but=()):
        for name, value in values.items():
            if name not in but and isinstance(name, str):
                self.add(name, value, source, step, epoch)

    def add(self, name, value, source, step=None, epoch=None):
        if type(value) is float and value == 0 and name not in self.computed and defaults.evaluates(name):
            self.default(name, value)
        value = number(value)
        if value is None:
            return
        kept = self.series.get((source, name))
        if kept is None:
            if len(self.series) >= MAX_NAMES:
                return
            kept = self.series[source, name] = Series()
        step, epoch = number(step), number(epoch)
        data = {
            "name": name, "value": value, "split": "", "n": self.samples.get(name) or -1, "good": -1,
            "step": -1 if step is None else int(step), "epoch": float("nan") if epoch is None else epoch,
            "taint": self.live.taint, "from": source,
        }
        if data["n"] == -1 and self.samples.get(name) == 0:
            data["n"] = 0
            self.live.finding("empty-evaluation", "poison", "%s is %r, computed from no sample" % (name, value), metric=name, once=name)
        due = kept.due(value)
        if due:
            kept.where = where()
        data["where"] = kept.where
        if due:
            self.live.flush()
            self.live.out.write("metric", data)
        else:
            kept.waiting = data

    def default(self, name, value):
        found = defaults.written(value)
        if found is None:
            self.computed.add(name)
            return
        code, effect, why = found.code, "unprove", ", perhaps as what it is where nothing was right"
        if found.replaces:
            effect, why = "poison", ": nothing was computed"
        text = "%s is reported as the 0 that stands in %s (%s:%d)%s" % (name, code.co_name, os.path.basename(code.co_filename), code.co_firstlineno, why)
        self.live.finding("metric-defaulted", effect, text, since=max(self.live.step, 0), metric=name, once=name)

    def write(self):
        for kept in self.series.values():
            data, kept.waiting = kept.waiting, None
            if data is not None:
                self.live.out.write("metric", data)

    def forked(self):
        self.series = {}


class Series:
    """One name: each value at first, later one a second, and the last."""

    __slots__ = ("n", "last", "waiting", "where")

    def __init__(self):
        self.n, self.last, self.waiting, self.where = 0, 0.0, None, ""

    def due(self, value):
        self.n += 1
        now = time.monotonic()
        if self.n > FIRST and now - self.last < EVERY and value - value == 0:
            return False
        self.last, self.waiting = now, None
        return True


def where(depth=2):
    """File and line of the trainer that called, as far as it is known."""
    frame = sys._getframe(depth)
    while frame is not None:
        module = frame.f_globals.get("__name__") or ""
        if not caller.of_library(module) and module.partition(".")[0] not in LOGGERS:
            return "%s:%d" % (os.path.basename(frame.f_code.co_filename), frame.f_lineno)
        frame = frame.f_back
    return ""


def number(value):
    """A float; None: it is none, or lies where it cannot be read for free."""
    if value is None or isinstance(value, (bool, str, bytes, dict, list, tuple)):
        return None
    if isinstance(value, (int, float)):
        return float(value)
    torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
    if torch is not None and isinstance(value, torch.Tensor):
        if value.numel() != 1 or not steps.plain(value) or value.device.type != "cpu" or steps.unreadable():
            return None
        return float(value.detach())
    if numpy is not None and isinstance(value, (numpy.generic, numpy.ndarray)) and value.size == 1 and value.dtype.kind in "iuf":
        return float(value.item() if value.ndim == 0 else value.reshape(()).item())
    return None
