"""What a training was to do, and what it did: epochs, steps, samples.

The plan is what arguments, a framework's own settings or a progress bar say. What
was done is counted at the loader and at the optimizers. A run that ends before its
plan for a reason that is seen (a limit in steps, a callback, a resume) did what it
was told; so may one whose sources speak of stopping early: that is a note. How the
process ended, and what was printed, the audit weighs."""

import functools
import os
import sys

from trainvet import process, stops

SLACK = 0.01  # of the plan
STEP_SLACK = 1.0
CODE = "budget"


class Guard:
    """Intent is package intent's guard, loaders package loaders'."""

    def __init__(self, live, stepping, loaders, intent):
        self.live, self.stepping, self.loaders, self.intent = live, stepping, loaders, intent
        self.framework = None  # what a framework's own training said, the last one
        self.bars = []
        self.scope = None  # what stood in the trainer's frames at its first step
        self.resumed = self.done = False
        live.plan = lambda: (self.planned_steps(), loaders.sums.totals()[3])
        stepping.listeners.append(self.stepped)
        live.after.append(self.summary)

    def actions(self):
        return {
            "transformers.trainer": self.transformers,
            "lightning.pytorch.trainer.trainer": self.lightning,
            "pytorch_lightning.trainer.trainer": self.lightning,
            "tqdm.std": self.tqdm,
            "torch.optim.optimizer": self.restored,
        }

    def restored(self, module):
        """An optimizer that is given a state before its first step goes on from where
        others were."""
        original, guard = module.Optimizer.load_state_dict, self

        @functools.wraps(original)
        def load_state_dict(*args, **kwargs):
            guard.resumed = guard.resumed or guard.live.step < 1
            return original(*args, **kwargs)

        module.Optimizer.load_state_dict = load_state_dict

    def stepped(self, optimizer, ledger, scaled):
        self.stepping.leave(self.stepped)
        if self.scope is None:
            self.scope = stops.Scope(sys._getframe(1))

    # Frameworks: what they were told, what became of it, and who ended it.

    def transformers(self, module):
        self.around(module.Trainer, "_inner_training_loop", self.of_trainer)

    def lightning(self, module):
        self.around(module.Trainer, "_run_stage", self.of_lightning)

    def around(self, cls, name, note):
        original, guard = cls.__dict__.get(name), self
        if original is None or getattr(original, "__trainvet__", False):
            return

        @functools.wraps(original)
        def method(trainer, *args, **kwargs):
            out = original(trainer, *args, **kwargs)
            try:
                note(trainer)
            except Exception as e:
                guard.live.report("the plan of the training", e)
            return out

        method.__trainvet__ = True
        setattr(cls, name, method)

    def of_trainer(self, trainer):
        args, state, control = trainer.args, trainer.state, trainer.control
        plan = Plan("TrainingArguments")
        plan.steps = (args.max_steps if args.max_steps > 0 else state.max_steps, state.global_step)
        if args.max_steps <= 0:
            plan.epochs = (float(args.num_train_epochs), float(state.epoch or 0))
        if control.should_training_stop and state.global_step < state.max_steps:
            plan.reason = "a callback ended the training"
        self.finish(plan)

    def of_lightning(self, trainer):
        if not trainer.training and not str(getattr(trainer.state, "fn", "")).endswith("FITTING") and "fit" not in str(getattr(trainer.state, "fn", "")).lower():
            return
        plan = Plan("Trainer")
        if (trainer.max_steps or -1) > 0:
            plan.steps = (trainer.max_steps, trainer.global_step)
        if (trainer.max_epochs or -1) > 0:
            plan.epochs = (float(trainer.max_epochs), float(trainer.current_epoch))
        if trainer.should_stop or getattr(trainer, "interrupted", False):
            plan.reason = "it was told to stop"
        elif plan.steps and plan.steps[1] >= plan.steps[0]:
            plan.reason = "its limit of steps was reached"
        self.finish(plan)

    def finish(self, plan):
        """A training that a framework leads is through."""
        self.framework = plan
        if plan.is_short() and not plan.reason:
            self.tell(plan)

    # Bars: what a loop over numbers announced.

    def tqdm(self, module):
        cls, guard = module.tqdm, self
        init, close = cls.__init__, cls.close

        @functools.wraps(init)
        def __init__(bar, *args, **kwargs):
            init(bar, *args, **kwargs)
            try:
                guard.opened(bar, args[0] if args else kwargs.get("iterable"))
            except Exception as e:
                guard.live.report("a progress bar", e)

        @functools.wraps(close)
        def closed(bar):
            try:
                guard.closed(bar)
            except Exception as e:
                guard.live.report("a progress bar", e)
            return close(bar)

        cls.__init__, cls.close = __init__, closed

    def opened(self, bar, iterable):
        """One that is there before the first step, over numbers or by hand: a bar
        over a loader announces a pass and no training."""
        if max(self.live.step, 0) > 0 or len(self.bars) >= 16 or not getattr(bar, "total", None) or getattr(bar, "disable", False):
            return  # one that is switched off counts nothing
        if isinstance(iterable, (range, type(None))) and of_trainer(sys._getframe(2)):
            self.bars.append(Bar(bar))

    def closed(self, bar):
        for kept in self.bars:
            if kept.bar is bar:
                kept.close(max(self.live.step, 0))

    # The end.

    def summary(self):
        if self.done or not self.stepping.ledgers or self.live.step < 1:
            return
        self.done = True
        plan = self.framework
        if plan is None:
            plan = self.plan()
            if plan is not None and plan.is_short():
                self.tell(plan)
        self.facts(plan)

    def facts(self, plan):
        """For the audit, which knows what was printed: how far the process came, and
        what may have ended it."""
        begun, complete, batches, drawn = self.loaders.sums.totals()
        reason, doubt = (plan.reason, plan.may) if plan is not None else self.ended(max(self.live.step, 0), batches)
        items = [("steps", max((l.attempted for l in self.stepping.ledgers.values()), default=0)), ("samples", drawn), ("meant", reason or doubt)]
        if begun:
            items.append(("passes", self.passes(begun, complete)))
        if plan is not None and plan.epochs is not None:
            items.append(("epochs planned", plan.epochs[0]))
        if plan is not None and plan.steps is not None:
            items.append(("steps planned", plan.steps[0]))
        self.live.out.write("held", {
            "code": CODE, "effect": "note", "group": "plan of %d" % os.getpid(), "member": "rank %d" % (process.rank() or 0), "expect": "nothing",
            "text": "what the training came to", "items": [{"step": -1, "name": name, "value": v if isinstance(v, str) else plain(v)} for name, v in items],
        })

    def plan(self):
        """By arguments, else by a bar that stood over all of the training."""
        asked = self.intent.command_line()
        begun, complete, batches, drawn = self.loaders.sums.totals()
        epochs, steps = asked.planned(asked.epochs), asked.planned(asked.steps)
        made = max(self.live.step, 0)
        if epochs is not None and begun:
            plan = Plan(epochs[1])
            plan.epochs = (max(epochs[0] - asked.start, 0), self.passes(begun, complete))
            plan.samples = self.samples(plan.epochs[0], drawn)
            if any(max(made, batches) >= n - max(STEP_SLACK, SLACK * n) for n in asked.limits):
                plan.reason = "a limit of steps was reached"
        elif steps is not None and begun and epochs is None:
            plan = Plan(steps[1])
            plan.steps = (steps[0], max(made, batches))
        else:
            plan = self.by_bar(made)
            if plan is None:
                return None
        if not plan.reason:
            plan.reason, plan.may = self.ended(made, batches)
        return plan

    def ended(self, made, batches):
        """(reason, doubt) of what the arguments and the sources say of the end."""
        if self.resumed:
            return "", "it went on from a saved state"
        if self.intent.otherwise:
            return "", self.intent.otherwise[0]
        return self.scope.why(made, batches) if self.scope is not None else ("", "")

    def passes(self, begun, complete):
        """A pass that was left early counts where all were left so: a trainer may
        say what an epoch is. The last one of whole ones counts as far as it came."""
        last = self.loaders.sums.last
        if last is None or last.through() or complete < begun - 1 or not last.whole:
            return begun
        return begun - 1 + last.samples() / last.whole

    def samples(self, epochs, drawn):
        last = self.loaders.sums.last
        if last is None or not last.whole:
            return None
        return int(epochs * last.whole), drawn

    def by_bar(self, made):
        for bar in self.bars:
            if bar.steps_at_end is None:
                bar.close(made)
            if bar.stands_over(made):
                plan = Plan("the bar %s" % (bar.text or "of the loop"))
                begun, complete, _, drawn = self.loaders.sums.totals()
                if begun - bar.n in (0, 1) and begun > 0:  # it counts passes
                    plan.epochs = (bar.total, self.passes(begun, complete))
                    plan.samples = self.samples(bar.total, drawn)
                else:
                    plan.turns = (bar.total, bar.n)
                return plan
        return None

    def tell(self, plan):
        """Silent where it did what it was told."""
        if plan.reason:
            return
        text = plan.text()
        if plan.may:
            text += "; it may have been meant to end before: %s" % plan.may
        self.live.finding(CODE, "note" if plan.may else "degrade", text, name=plan.said)

    def planned_steps(self):
        if self.framework is not None and self.framework.steps:
            return int(self.framework.steps[0])
        steps = self.intent.planned(self.intent.steps)
        return int(steps[0]) if steps is not None else 0


class Plan:
    """(planned, done) of each thing that is counted."""

    def __init__(self, said):
        self.said, self.reason, self.may = said, "", ""
        self.epochs = self.steps = self.samples = self.turns = None

    def is_short(self):
        if self.epochs is not None:
            planned, done = self.epochs
            return done < planned * (1 - SLACK) and planned - done > SLACK
        if self.steps is not None:
            planned, done = self.steps
            return done < planned - max(STEP_SLACK, SLACK * planned)
        return self.turns is not None and self.turns[1] < self.turns[0] - (0 if self.turns[0] < 100 else 1)

    def text(self):
        parts = []
        for name, pair in (("epochs", self.epochs), ("steps", self.steps), ("turns", self.turns), ("samples", self.samples)):
            if pair is not None:
                parts.append("%s of %s planned %s" % (plain(pair[1]), plain(pair[0]), name))
        return "the training made %s (%s)" % (", ".join(parts), self.said)


class Bar:
    """A bar that was opened before the first step; what it said when it closed."""

    def __init__(self, bar):
        self.bar, self.total, self.text = bar, bar.total, str(getattr(bar, "desc", "") or "").strip(": ")
        self.n, self.steps_at_end = 0, None

    def close(self, made):
        if self.steps_at_end is None:
            self.n, self.steps_at_end, self.bar = self.bar.n, made, None

    def stands_over(self, made):
        """All steps were made while it was open."""
        return made > 0 and self.n > 0 and self.steps_at_end == made


def of_trainer(frame):
    """Whether a bar is the trainer's own, and none of a library."""
    while frame is not None and (frame.f_globals.get("__name__") or "").partition(".")[0] == "tqdm":
        frame = frame.f_back
    return frame is not None and stops.own(frame.f_code.co_filename)


def plain(n):
    return "%d" % n if n == int(n) else "%.2f" % n
