import torch
import torch.nn as nn
from torch.nn import Module


class Plain(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.layers = [nn.Linear(8, 8) for _ in range(n)]  # want TV406 "plain container"

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Two(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = [nn.Linear(8, 2), nn.Linear(8, 3)]  # want TV406 "self.heads"
        self.norms = {"a": nn.LayerNorm(8), "b": nn.LayerNorm(8)}  # want TV406 "self.norms"

    def forward(self, x, name):
        return [head(self.norms[name](x)) for head in self.heads]


class Weights(Module):
    def __init__(self, n):
        super().__init__()
        self.scales = [nn.Parameter(torch.ones(1)) for _ in range(n)]  # want TV406 "not trained"

    def forward(self, x):
        return sum(s * x for s in self.scales)


class Later(nn.Module):
    def build(self, n):
        self.convs = [nn.Conv2d(3, 3, k) for k in range(n)]  # want TV406 "self.convs"

    def forward(self, x):
        return self.convs[0](x)


class Named(Plain):
    def __init__(self, names):
        super().__init__(2)
        self.by_name = {n: nn.Embedding(10, 8) for n in names}  # want TV406 "self.by_name"

    def forward(self, x, name):
        return self.by_name[name](x)


class Healthy(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(n)])  # ok: registered
        self.acts = [nn.ReLU(), nn.GELU()]  # ok: without parameters
        self.sizes = [n, n]  # ok: numbers

    def forward(self, x):
        for layer, act in zip(self.layers, self.acts):
            x = act(layer(x))
        return x[: self.sizes[0]]


class Wrapped(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.blocks = [nn.Linear(8, 8) for _ in range(n)]  # ok: wrapped below
        self.net = nn.Sequential(*self.blocks)

    def forward(self, x):
        return self.net(x) + self.blocks[0](x)


class Replaced(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.blocks = [nn.Linear(8, 8) for _ in range(n)]  # ok: replaced below
        self.blocks = nn.ModuleList(self.blocks)

    def forward(self, x):
        return self.blocks[0](x)


class Added(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.parts = [nn.Linear(8, 8) for _ in range(n)]  # ok: added by name
        for i, part in enumerate(self.parts):
            self.add_module(f"part{i}", part)

    def forward(self, x):
        return self.parts[0](x)


class Trainer:
    def __init__(self):
        self.nets = [nn.Linear(8, 8)]  # ok: no module

    def forward(self, x):
        return self.nets[0](x)


class Unused(nn.Module):
    def __init__(self):
        super().__init__()
        self.teacher = [nn.Linear(8, 8)]  # ok: nothing reads it in this class


class Local(nn.Module):
    def __init__(self):
        super().__init__()
        layers = [nn.Linear(8, 8), nn.Linear(8, 8)]  # ok: a name of its own
        self.net = nn.Sequential(*layers)

    def forward(self, x):
        return self.net(x)


class Types(nn.Module):
    def __init__(self):
        super().__init__()
        self.known = [nn.Linear, nn.Conv2d]  # ok: classes, no layers

    def forward(self, x):
        return isinstance(x, tuple(self.known))


class Given(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.layers = [layer for layer in layers]  # ok: what they are is not seen

    def forward(self, x):
        return self.layers[0](x)


class Handed(nn.Module):
    def __init__(self, register):
        super().__init__()
        self.all = [nn.Linear(8, 8)]  # ok: handed to something that may register it
        register(self, self.all)

    def forward(self, x):
        return self.all[0](x)


class PartsOfAnother(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model
        self.stages = [nn.Sequential(model.conv1, model.bn1), *model.layer1]  # ok: parts of self.model, which is registered

    def forward(self, x):
        for stage in self.stages:
            x = stage(x)
        return x


class Stages(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.stages = [nn.Sequential(nn.Linear(n, n), nn.ReLU())]  # want TV406 "self.stages"

    def forward(self, x):
        return self.stages[0](x)


class Appended(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.blocks = []  # want TV406 "self.blocks"
        for _ in range(n):
            self.blocks.append(nn.Linear(8, 8))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


class AppendedThenKept(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.blocks = []  # ok: registered behind it
        for _ in range(n):
            self.blocks.append(nn.Linear(8, 8))
        self.all = nn.ModuleList(self.blocks)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


class AppendedToModules(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.blocks = nn.ModuleList()
        for _ in range(n):
            self.blocks.append(nn.Linear(8, 8))  # ok: a container that registers

    def forward(self, x):
        return self.blocks[0](x)


class AppendedByName(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.blocks = []  # ok: each is registered by its name
        for i in range(n):
            self.blocks.append(nn.Linear(8, 8))
            self.add_module("block%d" % i, self.blocks[-1])

    def forward(self, x):
        return self.blocks[0](x)
