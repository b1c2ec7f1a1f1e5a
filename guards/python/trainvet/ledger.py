"""The totals of one optimizer: which steps were asked for, which were applied, which a
loss scaler threw away, and at which of them checks look that look seldom.

Flags that lie on a device stay there until enough have come together, so that no step
waits for one."""

import weakref

from trainvet.live import FINENESS

REFRESH = 63  # held parameters are listed anew once in so many steps and one
PENDING = 64  # flags on a device that are read at once
CLOSELY = 32  # first steps of an optimizer that the seldom ones are told of, too
OFTEN, SELDOM = 256, (7, 31)  # and then each whose number ends in so many bits that are 0: until step OFTEN, and behind it


class Ledger:
    """The totals of one optimizer."""

    __slots__ = (
        "optimizer", "attempted", "applied", "skipped", "next", "streak", "pending", "close", "due", "begun", "backwards",
        "live", "name", "groups", "params", "how", "written", "run", "__weakref__",
    )

    def __init__(self, live, optimizer, name):
        self.live, self.name = live, name
        self.optimizer = weakref.ref(optimizer, self.gone)
        self.groups, self.params = (), []
        self.attempted = self.applied = self.skipped = 0
        self.how = ""
        self.next = 1
        self.written = 0
        self.run = None  # skips in a row that are not written yet: [from, until, scale]
        self.streak = 0  # skips in a row
        self.begun = False  # its first update was made, or is being made
        self.close = CLOSELY  # up to this attempt each step is looked at closely
        self.due = True  # those who look seldom look at this step
        self.backwards = 0  # calls of backward until its last step
        self.pending = []  # (attempt, flag on a device, scale on a device)

    def held(self):
        """All parameters of the optimizer, in order: made anew when a group was
        added, or a parameter that is looked at was replaced."""
        optimizer = self.optimizer()
        if optimizer is None:
            return []
        groups = [(id(held), len(held), id(held[0]), id(held[-1])) for held in [g["params"] for g in optimizer.param_groups] if held]
        if groups != self.groups or self.attempted & REFRESH == 0:
            self.groups, self.params = groups, [p for g in optimizer.param_groups for p in g["params"]]
        return self.params

    def gone(self, ref):
        self.groups, self.params = (), []

    def direct(self):
        """A step without a scaler: it was applied, since it was made."""
        self.attempted += 1
        self.applied += 1
        self.how = self.how or "trainer"
        if self.streak:
            self.ends_streak()
        if self.attempted >= self.next:
            self.write()

    def turn(self, attempt):
        """Whether a step that begins is looked at by those who look seldom: kept in
        due until it is over."""
        self.due = self.looked_at(attempt)
        return self.due

    def looked_at(self, attempt):
        return attempt & SELDOM[attempt > OFTEN] == 0 or attempt <= self.close

    def closely(self, steps):
        """So many steps from now on are looked at, each of them."""
        self.close = max(self.close, self.attempted + steps)

    def flagged(self, attempt, flag, scale):
        """What the scaler found at an attempt; both numbers may lie on a device."""
        self.how = "found-inf"
        if not self.pending and not on_device(flag):
            self.judge(attempt, float(flag), scale)
            self.tick()
            return
        self.pending.append((attempt, keep(flag), keep(scale)))  # the scaler goes on to write into its own
        if not on_device(flag) or len(self.pending) >= PENDING:
            self.settle()

    def settle(self):
        """Reads the flags that are still on a device, in one copy."""
        pending, self.pending = self.pending, []
        for (attempt, _, _), flag, scale in zip(pending, numbers([p[1] for p in pending]), numbers([p[2] for p in pending])):
            self.judge(attempt, flag, scale)
        self.tick()

    def judge(self, attempt, flag, scale):
        if flag > 0:
            self.skip(attempt, 0.0 if scale is None else float(scale))
        else:
            self.applied += 1
            if self.streak:
                self.ends_streak()

    def skip(self, attempt, scale):
        self.skipped += 1
        self.streak += 1
        if self.run is None:
            self.run = [attempt, attempt, scale]
        self.run[1:] = [attempt, scale]
        if self.streak & (self.streak - 1) == 0:  # at once, and ever more of a stretch without end
            self.settle_stretch()

    def ends_streak(self):
        if self.streak:
            self.settle_stretch()
            self.streak = 0

    def settle_stretch(self):
        if self.run is None:
            return
        (first, last, scale), self.run = self.run, None
        self.live.out.write("skip", {
            "optimizer": self.name, "from": first, "until": last, "n": last - first + 1, "step": self.live.step,
            "reason": "found-inf", "scale": float(scale), "scaled": True, "floor": scale <= 0, "skipped": self.skipped,
        })
        self.write()

    def tick(self):
        if self.attempted >= self.next:
            self.write()

    def write(self):
        if self.pending:
            self.settle()
        if self.run is not None:
            self.settle_stretch()
        state = (self.attempted, self.applied, self.skipped)
        if state == self.written or not self.attempted:
            return
        self.written = state
        self.next = self.attempted + max(1, self.attempted >> FINENESS)
        planned, samples = self.live.plan()
        self.live.out.write("step", {
            "optimizer": self.name, "step": self.live.step, "planned": planned, "attempted": self.attempted,
            "applied": self.applied, "skipped": self.skipped, "samples": samples, "how": self.how,
        })


def keep(value):
    """A copy that stays on its device."""
    return value.detach().clone() if hasattr(value, "detach") else value


def on_device(value):
    return not getattr(value, "is_cpu", True)


def numbers(values):
    """The numbers of 0-d tensors and of plain numbers, in one copy."""
    tensors = [v for v in values if hasattr(v, "detach")]
    if not any(on_device(t) for t in tensors):
        return [0.0 if v is None else float(v) for v in values]  # a stack of one costs more than the look
    import torch

    flat = iter(torch.stack([t.reshape(()).float() for t in tensors]).tolist())
    return [next(flat) if hasattr(v, "detach") else (0.0 if v is None else float(v)) for v in values]
