"""Gradients that no call of backward made: torch.autograd.grad, torch.func, a kernel
of the trainer's own. Nobody saw their loss, so a few of them are looked at in the
step that uses them; where an optimizer has cleared them, of its parameters."""

from trainvet import gate


class Guard:
    """Training is the guard that sees backward."""

    def __init__(self, live, stepping, training):
        self.live = live
        self.count = live.count("finite", 0, ("gradient", "parameter", "nonfinite"))
        training.unseen.append(self.stepped)

    def stepped(self, optimizer, ledger, scaled):
        if ledger.attempted <= gate.LOOKED_AT or self.live.budget.allows():
            if not gate.unreadable():
                with self.live.budget:
                    self.look(ledger)

    def look(self, ledger):
        held = ledger.held()
        few = [held[i] for i in sorted({0, len(held) // 2, len(held) - 1})] if held else []
        gradients = [p.grad for p in few if p.grad is not None]
        kind, tensors = ("gradient", gradients) if gradients else ("parameter", few)
        for t in tensors:
            if gate.plain(t) and t.numel() and t.device.type != "meta" and (t.is_floating_point() or t.is_complex()):
                self.count.tally[kind] += 1
                self.count.ran(t.numel())
                if not bool(t.detach().isfinite().all()):
                    self.bad(kind, ledger)

    def bad(self, kind, ledger):
        self.count.tally["nonfinite"] += 1
        at = max(self.live.step, 1)
        self.live.finding("nonfinite-gradient", "note", "step %d of %s is made with a %s that is not finite" % (at, ledger.name, kind), since=at, until=at, name=ledger.name, once=id(ledger))
