"""How much of a model trains, and whether that can be meant.

An optimizer that is given all parameters, of which next to nothing trains but
norms and biases of layers that stand still, was made for a model that trains: the
pattern that froze it caught more than was meant. Weights that were loaded, adapters,
a head, an embedding, a teacher: all of these are frozen by design."""

import functools
import gc
import itertools
import sys

HALF = 0.5  # of the values; below it a model is mostly frozen
ADAPTS = ("lora", "adapter", "prompt", "prefix", "ia3", "lokr", "loha", "dora", "soft", "delta", "scale", "gate", "peft")
NAMED = 4
CODE = "mostly-frozen"


class Loaded:
    """Whether weights came from somewhere: frozen ones are then by design."""

    def __init__(self):
        self.seen = False

    def actions(self, live):
        return {
            "torch.nn.modules.module": lambda m: self.noticing(m.Module, "load_state_dict"),
            "transformers.modeling_utils": lambda m: self.noticing(m.PreTrainedModel, "from_pretrained", is_class=True),
            "safetensors.torch": lambda m: [self.noticing(m, name) for name in ("load_file", "load_model")],
            "torch.hub": lambda m: [self.noticing(m, name) for name in ("load", "load_state_dict_from_url")],
        }

    def noticing(self, owner, name, is_class=False):
        original, loaded = owner.__dict__.get(name), self
        call = getattr(original, "__func__", original)
        if call is None:
            return

        @functools.wraps(call)
        def noticed(*args, **kwargs):
            loaded.seen = True
            return call(*args, **kwargs)

        setattr(owner, name, classmethod(noticed) if is_class else noticed)


class Whole:
    """The model of the parameters that optimizers hold."""

    def __init__(self, held, named):
        self.held, self.named = held, named  # named: (module, name, parameter) of the whole model
        ours = {id(p) for p in held}
        self.values = sum(p.numel() for _, _, p in named)
        self.frozen_held = [p for p in held if not p.requires_grad]
        self.training = [(m, n, p) for m, n, p in named if p.requires_grad and id(p) in ours]
        self.trains = sum(p.numel() for _, _, p in self.training)

    def part(self):
        return self.trains / self.values if self.values else 1.0

    def share(self):
        if not self.values:
            return "not known"
        text = "%s (%s of %s values)" % (percent(self.part()), thousands(self.trains), thousands(self.values))
        if self.part() < HALF:
            text += ": " + self.names()
        return text

    def names(self):
        names = [n for _, n, _ in self.training]
        more = len(names) - NAMED
        return ", ".join(names[:NAMED]) + (" and %d more" % more if more > 0 else "")

    def judge(self, live, loaded):
        frozen = sum(p.numel() for p in self.frozen_held)
        if not self.values or self.part() >= HALF or frozen <= self.trains:
            return
        text = "%s of the values that the optimizer was given are frozen: %s train (%s of %s): %s" % (
            percent(frozen / (frozen + self.trains)), percent(self.part()), thousands(self.trains), thousands(self.values), self.names())
        live.finding(CODE, "note" if loaded.seen or not self.left_over() else "degrade", text, since=1, name=self.training[0][1] if self.training else "", once="frozen")

    def left_over(self):
        """Whether what trains is what a pattern left: norms, and biases of layers
        whose weights stand still. No weight of a layer, nothing that was added."""
        if not self.training:
            return True
        for module, name, p in self.training:
            if p.dim() > 1 or any(word in name.lower() or word in type(module).__name__.lower() for word in ADAPTS):
                return False
            last = name.rpartition(".")[2]
            weight = module._parameters.get("weight") if module is not None else None
            is_norm = "norm" in type(module).__name__.lower()
            stands = last == "bias" and weight is not None and not weight.requires_grad
            if not is_norm and not stands:
                return False
        return True


def look(held, modes, made):
    """Of the model that holds the parameters, by the roots whose mode was set, else
    by the modules that there are."""
    ours = {id(p) for p in held}
    named = {}
    for root in tops([r.ref() for r in list(modes.roots.values())], ours) or tops(everywhere(made, ours), ours):
        for prefix, module in root.named_modules():
            for name, p in module._parameters.items():
                if p is not None and id(p) not in named:
                    named[id(p)] = (module, prefix + "." + name if prefix else name, p)
    return Whole(held, list(named.values()) if ours <= set(named) else [(None, "parameter %d" % i, p) for i, p in enumerate(held)])


def tops(modules, ours):
    """Those that hold parameters of ours, and stand in no other of them."""
    found = [m for m in modules if m is not None and any(id(p) in ours for p in m.parameters())]
    inner = {id(part) for m in found for part in m.modules() if part is not m}
    return [m for m in found if id(m) not in inner]


def everywhere(made, ours):
    """All modules of the process that stand in no other one: those that were seen
    when they were made, or all that there are, where these do not hold the parameters
    of the given ids. That takes a tenth of a second: copies and what is unpickled."""
    found = [m for m in made() if "_modules" in m.__dict__]
    if not ours <= {id(p) for m in found for p in m._parameters.values()}:
        found = [m for m in modules() if "_modules" in m.__dict__]
    inner = {id(child) for m in found for child in m._modules.values() if child is not None}
    return [m for m in found if id(m) not in inner]


def modules():
    """Of some hundred thousand objects: nothing is done for each that is not done
    in C."""
    base = sys.modules["torch"].nn.Module
    objects = gc.get_objects()
    kinds = list(map(type, objects))
    ours = {k for k in set(kinds) if issubclass(k, base)}
    return list(itertools.compress(objects, map(ours.__contains__, kinds)))


def percent(part):
    return "%.1f %%" % (100 * part) if part >= 0.001 or part == 0 else "%.2g %%" % (100 * part)


def thousands(n):
    return "{:,}".format(n)
