"""Attributes of a model that are other ones after it was wrapped, and attributes that
are set on the wrapper where the model reads its own.

A wrapper is known by its construction: it is made while a module that was complete
lies in the arguments of its constructor. What the modules in there said of
themselves is noted then, and looked at again at the first loss. One attribute that
reads differently on several modules, another value on each, was numbered by
somebody for purposes of his own; settings that are switched for all (checkpointing,
a cache, a rate) are meant, and so are places that are counted anew from 0."""

import collections
import functools
import sys
import weakref

from trainvet import caller, gate

MAX_MODULES = 4096
LAST = 8  # wrappers that are kept: the outermost come last
SIMPLE = (int, float, str, type(None), bool)
OWN = ("training",)  # every module has it, and it changes


class Guard:
    def __init__(self, live, training):
        self.live, self.training = live, training
        self.wrapped = collections.deque(maxlen=LAST)
        self.done = False
        training.watchers.append(self.loss)

    def actions(self):
        return {"torch.nn.modules.module": self.modules}

    def modules(self, module):
        cls, guard = module.Module, self
        original = cls.__init__

        @functools.wraps(original)
        def __init__(self, *args, **kwargs):
            original(self, *args, **kwargs)
            if not guard.done:
                guard.live.made.append(weakref.ref(self))
                guard.made(self, sys._getframe(1))

        cls.__init__ = __init__

    def made(self, wrapper, frame):
        """Called from a constructor: the module that it was given is wrapped."""
        try:
            if gate.compiling():
                return
            code = frame.f_code
            if code.co_name != "__init__":
                return
            given = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
            kind = sys.modules["torch"].nn.Module
            inner = next((v for v in map(caller.locals_of(frame).get, given) if isinstance(v, kind) and v is not wrapper and len(v._modules)), None)
            if inner is not None:
                self.wrapped.append(Wrapped(wrapper, inner))
        except Exception as e:
            self.live.report("module construction", e)

    def loss(self, loss):
        self.done = True
        self.training.watchers.leave(self.loss)
        for w in self.wrapped:
            if w.wrapper() is not None and w.inner() is not None:
                self.compare(w)
                self.beside(w.wrapper(), w.inner())
        self.wrapped.clear()

    def compare(self, w):
        numbered = {}  # by attribute: (type of module, before, after)
        for ref, said in w.said:
            module = ref()
            if module is None:
                continue
            for key, before in said.items():
                after = module.__dict__.get(key, before)
                if after is not before and type(after) in SIMPLE and after != before:
                    numbered.setdefault(key, []).append((type(module).__name__, before, after))
        for key, changes in numbered.items():
            after = [a for _, _, a in changes]
            if len(changes) > 1 and len(set(map(str, after))) == len(after) and not any(isinstance(a, bool) for a in after) and after != list(range(len(after))):
                name, before, after = changes[0]
                self.live.finding("attribute-overwritten", "degrade", "wrapping by %s wrote over %s of %d modules: of %s it was %r and is %r" % (w.name, key, len(changes), name, before, after),
                                  since=0, name=key, once=key)

    def beside(self, wrapper, inner):
        """Set on the wrapper, which hands nothing on."""
        if type(wrapper).__name__ not in ("DistributedDataParallel", "DataParallel"):
            return
        own = vars(wrapper)
        for key, value in vars(inner).items():
            if key in own and not key.startswith("_") and key not in OWN and type(value) in SIMPLE and type(own[key]) in SIMPLE and own[key] != value:
                self.live.finding("attribute-beside", "note", "%s is %r on the %s and %r on the %s in it, which reads its own" % (key, own[key], type(wrapper).__name__, value, type(inner).__name__),
                                  since=0, name=key, once=("beside", key))


class Wrapped:
    """What the modules of one model said of themselves before they were wrapped."""

    def __init__(self, wrapper, inner):
        self.wrapper, self.inner, self.name = weakref.ref(wrapper), weakref.ref(inner), type(wrapper).__name__
        self.said = []
        for m in inner.modules():
            simple = {k: v for k, v in vars(m).items() if k not in OWN and not k.startswith("_") and type(v) in SIMPLE}
            if simple and len(self.said) < MAX_MODULES:
                self.said.append((weakref.ref(m), simple))
