"""From the first call of torch.compile, torch.jit.script or torch.export on no
hook is put on a module, and those that are there are taken away: a compiler
looks at them, and would compile them or refuse to."""

import functools


class Guard:
    def __init__(self, live, *leave):
        self.live, self.leave = live, leave

    def actions(self):
        return {
            "torch": lambda m: self.all(((m, "compile"), (m.nn.Module, "compile"), (m.jit, "script"))),
            "torch.export": lambda m: self.all(((m, "export"), (m, "export_for_training"))),
        }

    def all(self, functions):
        for owner, name in functions:
            original = getattr(owner, name, None)
            if original is not None:
                setattr(owner, name, self.noticing(original))

    def noticing(self, original):
        guard = self

        @functools.wraps(original)
        def compile(*args, **kwargs):
            try:
                for leave in guard.leave:
                    leave()
            except Exception as e:
                guard.live.report("compile", e)
            return original(*args, **kwargs)

        return compile
