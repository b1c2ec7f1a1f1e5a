"""How much of the gradients lies below what float16 holds in full: numbers that lost
digits, beside which others have become 0.

Read in the first steps, and now and then later, where products are computed in
float16: from three parameters, as large as they were when they were made."""

import sys

from trainvet import gate

SMALLEST = 2.0**-14  # below it float16 loses digits
SHARE = 0.5
IN_A_ROW = 3


class Guard:
    """Half tells whether float16 was seen, scaler gives the scaler or None."""

    def __init__(self, live, stepping, half, scaler):
        self.live, self.stepping, self.half, self.scaler = live, stepping, half, scaler
        self.rows = {}  # by optimizer id: looks in a row with a large share
        stepping.seldom_before.append(self.stepping_now)

    def stepping_now(self, optimizer):
        step = max(self.live.step, 0)
        if step > gate.LOOKED_AT and step & (step - 1):
            return
        ledger = self.stepping.ledger(optimizer)
        grads = [p.grad for p in three(ledger.held()) if p.grad is not None and gate.plain(p.grad)]
        if not grads or not (self.half() or grads[0].dtype == sys.modules["torch"].float16) or gate.unreadable():
            return
        with self.live.budget:
            self.look(id(optimizer), ledger, grads)

    def look(self, key, ledger, grads):
        scaler = self.scaler()
        scale = getattr(scaler, "_scale", None) if self.stepping.scaling is not None else None
        scale = float(scale) if scale is not None else 1.0
        small, zero = share(grads, scale)
        n = self.rows[key] = self.rows.get(key, 0) + 1 if small >= SHARE else 0
        if n == IN_A_ROW:
            self.live.finding("gradient-underflow", "note", "%.0f %% of the gradients of %s that are not 0 are smaller than float16 holds in full, at a loss scale of %g; %.0f %% are 0" % (100 * small, ledger.name, scale, 100 * zero),
                              since=max(self.live.step, 1), name=ledger.name, once=key)

    def forked(self):
        self.rows = {}


def three(held):
    return [held[i] for i in sorted({0, len(held) // 2, len(held) - 1})] if held else []


def share(grads, scale):
    """Of what is not 0 the part that is too small, and of all the part that is 0."""
    small = zero = n = 0
    for g in grads:
        size = g.detach().reshape(-1)[:FEW].float().abs() * scale
        n += size.numel()
        zero += int((size == 0).sum())
        small += int(((size > 0) & (size < SMALLEST)).sum())
    return small / max(n - zero, 1), zero / max(n, 1)


FEW = 65536
