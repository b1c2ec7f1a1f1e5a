"""Steps that are made with gradients of a scaled loss, past the scaler: 65536
times too large, and nothing raises.

A trainer may unscale by itself. One that asks for the scale between the loss and
the step, calls unscale_, or uses the scaler for any of its steps, is left alone."""

IN_A_ROW = 3


class Guard:
    def __init__(self, live, stepping):
        self.live, self.stepping = live, stepping
        self.losses = 0  # scaled since the scaler was last asked for anything else
        self.seen = {}  # by optimizer id: (first step, how many in a row, losses at the last)
        for name, note in (("scale", self.scaled), ("get_scale", self.asked), ("unscale_", self.asked), ("step", self.used)):
            stepping.scaler_calls[name].append(note)

    def scaled(self, scaler, *_):
        self.losses += 1
        self.stepping.listeners.append(self.stepped)

    def asked(self, scaler, *_):
        self.losses = 0
        self.seen = {}

    def used(self, scaler, *_):
        """It makes steps, and is trusted from then on."""
        for note in (self.scaled, self.asked, self.used):
            self.stepping.unnoted(note)
        self.stepping.leave(self.stepped)

    def stepped(self, optimizer, ledger, scaled):
        if scaled or not self.losses:
            return
        at = ledger.attempted
        first, n, losses = self.seen.get(id(optimizer), (at, 0, 0))
        if losses == self.losses:
            return
        self.seen[id(optimizer)] = (first, n + 1, self.losses)
        if n + 1 == IN_A_ROW:
            self.live.finding("scaled-gradient-applied", "degrade",
                              "since step %d %s is stepped directly with the gradients of a scaled loss: the scaler neither unscales nor skips" % (first, ledger.name),
                              since=first, name=ledger.name, once=id(optimizer))
