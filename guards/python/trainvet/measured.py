"""The checks of what an evaluation is made of (its outputs, the part of the set that
it saw), and of what ranks hand to each other."""

from trainvet import collectives, constant, labels, partial, samples


class Guards:
    def __init__(self, guards):
        live = guards.live
        self.constant = constant.Guard(live, guards.evaluation)
        self.partial = partial.Guard(live, guards.loaders, guards.defaults.evaluates)
        self.collectives = collectives.Guard(live)
        self.labels = labels.Guard(live, guards.data)
        self.samples = samples.Guard(live, guards.loaders)
        guards.workings.provenance.samples = self.samples.last
        guards.firststep.more.append(self.partial.facts)

    def add(self, actions):
        for guard in (self.partial, self.collectives, self.samples):
            for name, action in guard.actions().items():
                actions.setdefault(name, []).append(action)

    def forked(self):
        for guard in (self.constant, self.partial, self.collectives):
            guard.forked()
