"""trainvet run --trace-backward: each node of the autograd graph announces itself
by one write before it runs. Where the process aborts in a backward pass, whose
stack shows no line of Python, the last one is the one to look at."""

import os

from trainvet import process, steps

MAX_NODES = 200000
LIBRARIES = ("/torch/", "/transformers/", "/accelerate/", "/lightning/", "/pytorch_lightning/")


class Trace:
    def __init__(self, live):
        text = os.environ.get("TRAINVET_TRACE_BACKWARD", "")
        self.live = live
        self.on = text.isdigit()
        self.since = int(text) if self.on else 0
        self.fd = None
        self.handles = []

    def actions(self):
        return {"torch": self.remember_forward} if self.on else {}

    def remember_forward(self, module):
        """Nodes keep the stack of the forward pass that made them."""
        module.set_anomaly_enabled(True, False)

    def before(self, loss):
        loss = loss[0] if isinstance(loss, (list, tuple)) and loss else loss
        if not self.on or steps.compiling() or max(self.live.step, 0) + 1 < self.since:
            return
        node = getattr(loss, "grad_fn", None)
        if node is None or not hasattr(node, "register_prehook"):
            return
        if self.fd is None:
            self.fd = os.open(self.path(), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.ftruncate(self.fd, 0)
        seen, work = {node}, [node]
        while work and len(seen) < MAX_NODES:
            node = work.pop()
            self.handles.append(node.register_prehook(self.announcing(node)))
            for inner, _ in node.next_functions:
                if inner is not None and inner not in seen:
                    seen.add(inner)
                    work.append(inner)

    def path(self):
        rank = process.rank()
        name = "backward-%d%s.tvr" % (os.getpid(), "" if rank is None else "-rank%d" % rank)
        return os.path.join(self.live.out.directory, name)

    def announcing(self, node):
        name, place, fd = type(node).__name__, None, self.fd  # the node itself is not held

        try:
            place = forward_place(node.metadata.get("traceback_"))
        except Exception as e:
            self.live.report("backward trace", e)
        variable = getattr(node, "variable", None)
        if variable is not None:
            place = "parameter %s" % describe(variable)
        step = max(self.live.step, 0) + 1

        def announce(gradients):
            os.write(fd, ("%d\t%s\t%s\t%s\n" % (step, name, place or "", ", ".join(describe(g) for g in gradients if g is not None))).encode("utf-8", "replace"))

        return announce

    def after(self):
        for handle in self.handles:
            handle.remove()
        if self.handles:
            os.write(self.fd, b"\tend\t\t\n")
        self.handles = []


def describe(t):
    return "%s %s on %s" % ("x".join(str(n) for n in t.shape) or "scalar", str(t.dtype).replace("torch.", ""), t.device)


def forward_place(stack):
    """The innermost line of the forward pass that is the trainer's own."""
    place = ""
    for entry in stack or ():
        first = entry.strip().partition("\n")[0]  # File "x.py", line 3, in forward
        if first.startswith('File "') and "python.zip" not in first:
            name, _, rest = first[6:].partition('", line ')
            line, _, function = rest.partition(", in ")
            if not any(part in name for part in LIBRARIES):
                place = "%s:%s in %s" % (name, line, function)
    return place
