"""The checks that look into what a model does: whether it moves, what it began with,
in which precision it computes, what it gave where it was asked for less; where the
first value that is not finite came from, and where a run stands that stands."""

from trainvet import contract, initial, leftover, moves, noise, precision, provenance, stacks, underflow, unstepped, wrapping


class Guards:
    def __init__(self, guards):
        live, stepping, training = guards.live, guards.steps, guards.training
        self.moves = moves.Guard(live, stepping, training, guards.models)
        self.leftover = leftover.Guard(live, stepping, training)
        self.unstepped = unstepped.Guard(live, stepping, training)
        self.initial = initial.Guard(live, stepping, training, guards.models)
        guards.checkpoint.drawn = self.initial.untouched
        self.noise = noise.Guard(live, guards.evaluation)
        self.precision = precision.Guard(live, training, guards.modes, guards.settings)
        self.contract = contract.Guard(live)
        self.provenance = provenance.Guard(live, stepping, training, guards.models)
        self.underflow = underflow.Guard(live, stepping, lambda: "torch.float16" in self.precision.seen, self.provenance.live_scaler)
        self.stacks = stacks.Guard(live, stepping, guards.run.directory)
        self.wrapping = wrapping.Guard(live, training)

    def add(self, actions):
        for guard in (self.initial, self.precision, self.contract, self.stacks, self.wrapping):
            for name, action in guard.actions().items():
                actions.setdefault(name, []).append(action)

    def forked(self):
        for guard in (self.moves, self.leftover, self.unstepped, self.initial, self.noise, self.provenance, self.underflow, self.stacks):
            guard.forked()
