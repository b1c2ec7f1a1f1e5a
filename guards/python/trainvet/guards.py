"""Brings the guards of a process to life, each when the library that it guards
is imported. Nothing is imported for them, and a process that imports none of
these libraries has none."""

import os
import sys

from trainvet import accelerators, batchcap, budget, caller, checkpoint, clipped, compilers, coverage, data, decode, defaults, engines, evaluation, firststep, handmade, imports, intent, live, loaders, manifest, metrics, models, modes, overfit, overlap, ranks, replicas, restored, resume, scaled, settings, sharded, steps, swallowed, targets, training
from trainvet import handwritten
from trainvet import measured, printed
from trainvet import workings

LIBRARIES = ("torch", "transformers", "tokenizers", "sentencepiece", "tiktoken", "accelerate", "lightning", "deepspeed")
CHECKS = {"decode": ("transformers", "tokenizers", "sentencepiece", "tiktoken"), "steps": ("torch",), "finite": ("torch",)}


class Guards:
    """Run is the record of the process, of package boot."""

    def __init__(self, run):
        self.run = run
        self.live = live.Live(run.out, self.report)
        self.decode = decode.Guard(self.live, caller.Ledger(run.directory))
        self.steps = steps.Guard(self.live)
        self.engines = engines.Guard(self.live, self.steps)
        self.scaled = scaled.Guard(self.live, self.steps)
        self.clipped = clipped.Guard(self.live, self.steps)
        self.training = training.Guard(self.live, self.steps)
        self.modes = modes.Guard(self.live, self.steps)
        self.training.trains = self.modes.trains
        self.handmade = handmade.Guard(self.live, self.steps, self.training)
        self.evaluation = evaluation.Guard(self.live, self.modes, self.training)
        self.handwritten = handwritten.Guard(self.live, self.steps, self.training, self.modes, self.evaluation, self.decode, self.clipped)
        self.ranks = ranks.Guard(self.live)
        self.compilers = compilers.Guard(self.live, self.evaluation.leave_modules, self.ranks.leave, self.steps.ask, self.compiled)
        self.swallowed = swallowed.Guard(self.live)
        self.coverage = coverage.Guard(self.live, self.decode.ledger, self.decode)
        self.metrics = metrics.Guard(self.live)
        self.settings = settings.Guard(self.live, run.directory)
        self.batchcap = batchcap.Guard(self.live)
        self.overfit = overfit.Guard(self.live, self.steps, run.directory)
        self.replicas = replicas.Guard(self.live, self.steps)
        self.models = models.Guard(self.live, self.steps, self.modes)
        self.checkpoint = checkpoint.Guard(self.live, self.steps, self.models)
        self.sharded = sharded.Guard(self.live, self.models, self.checkpoint)
        self.resume = resume.Guard(self.live, self.steps, self.models, self.checkpoint)
        self.data = data.Guard(self.live, self.training, run.directory)
        self.targets = targets.Guard(self.live, self.training, self.data)
        self.data.batches_seen.append(self.ranks.batch)
        self.overlap = overlap.Guard(self.live, self.data)
        self.workings = workings.Guards(self)
        self.intent = intent.Guard(self.live, self.settings)
        self.loaders = loaders.Guard(self.live, self.steps)
        self.defaults = defaults.Guard(self.live, self.loaders, self.modes)
        self.budget = budget.Guard(self.live, self.steps, self.loaders, self.intent)
        self.firststep = firststep.Guard(self.live, self.steps, self.loaders, self.modes, self.intent, accelerators.seen)
        self.firststep.attend(self.training, self.workings.precision)
        self.firststep.planned = self.budget.planned_steps
        self.manifest = manifest.Guard(self.live, self.steps, self.loaders, self.settings)
        self.restored = restored.Guard(self.live, self.steps, self.resume, self.checkpoint, self.models, self.loaders, self.workings.provenance.live_scaler)
        self.firststep.more += [self.targets.facts, self.data.facts, self.restored.facts]
        self.measured = measured.Guards(self)
        self.printed = printed.Guard(self.live, self.compilers)
        self.alive = set()

    def install(self):
        actions = {}
        for guard in (self.decode, self.steps, self.engines, self.clipped, self.training, self.modes, self.compilers, self.metrics, self.settings, self.batchcap, self.overfit, self.replicas, self.data, self.ranks, self.models, self.checkpoint, self.sharded, self.resume, self.restored, self.loaders, self.budget, self.firststep, self.printed):
            for name, action in guard.actions().items():
                actions.setdefault(name, []).append(action)
        self.workings.add(actions)
        self.measured.add(actions)
        for name in LIBRARIES:
            actions.setdefault(name, []).append(lambda module: self.boot(module))
        actions["multiprocessing.util"] = [self.children]
        imports.Finder({name: every(list(todo), self.report) for name, todo in actions.items()}, self.report).install()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self.forked)

    def boot(self, module):
        """Another library is here: says which checks live now."""
        name = module.__name__
        self.coverage.started()
        alive = {check for check, libraries in CHECKS.items() if name in libraries} - self.alive
        self.alive |= alive
        if alive or name in ("torch", "transformers", "accelerate", "lightning", "deepspeed"):
            self.run.boot("libtorch" if name == "torch" else name, sorted(self.alive), versions())

    def compiled(self):
        """A compiler looks at which functions there are: they stay as they are."""
        for guard in (self.steps, self.workings.precision):
            guard.methods.compiled = True

    def report(self, what, error):
        """A guard that erred is heard of, once a place, and steps aside."""
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            return
        text = "%s: %s: %s" % (what, type(error).__name__, error)
        if ("hook", what) in self.live.said:
            return
        self.live.said.add(("hook", what))
        self.run.errors.append(text)
        self.live.finding("hook-error", "note", text, kind="hook")

    def children(self, module):
        """Children of multiprocessing leave by os._exit, after these."""
        module.register_after_fork(self.run, lambda run: module.Finalize(None, run.end, exitpriority=-1000))

    def forked(self):
        """The child goes on with a record of its own: what the parent counted is
        the parent's."""
        self.run.fork(sorted(self.alive), versions())
        self.live.counts, self.live.totals = [], [self.metrics]
        self.metrics.forked()
        self.live.sites, self.live.said = {}, set()
        self.decode.sites = {}
        self.workings.forked()
        self.measured.forked()
        self.handwritten.forked()
        self.steps.ledgers, self.steps.names, self.steps.asking = {}, {}, None
        self.replicas.models, self.replicas.wrapped = {}, []
        self.loaders.forked()
        self.defaults.forked()
        self.manifest.forked()
        self.models.forked()
        self.checkpoint.forked()
        self.resume.forked()
        self.restored.forked()
        self.data.forked()
        self.ranks.forked()
        self.overlap.forked()
        self.training.walks = 0
        self.training.idle, self.modes.steps, self.modes.since = {}, 0, None
        for count in (self.training.count, self.handmade.count, self.evaluation.count):
            count.start_anew()
            self.live.counts.append(count)


def every(todo, report):
    def act(module):
        for action in todo:
            try:
                action(module)
            except Exception as e:
                report("import of " + module.__name__, e)

    return act


def versions():
    """What is loaded, without importing anything."""
    out = []
    for name in LIBRARIES:
        module = sys.modules.get(name)
        if module is not None:
            out.append({"name": name, "version": str(getattr(module, "__version__", ""))})
    return out
