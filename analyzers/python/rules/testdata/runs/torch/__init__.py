"""A stand-in of torch with one weight: gradients are numbers, and who scales, clips and steps is counted."""

import contextlib
import sys
import types

float16, bfloat16 = "float16", "bfloat16"
default_cast = float16
smallest = 6e-8


class Weight:
    def __init__(self, value=1.0):
        self.value, self.grad = value, None


class Loss:
    """The loss is the gradient times the weight, so that its gradient is the factor."""

    def __init__(self, weights, factor, dtype=None):
        self.weights, self.factor, self.dtype = weights, factor, dtype

    def __mul__(self, k):
        return Loss(self.weights, self.factor * k, self.dtype)

    def __truediv__(self, k):
        return self * (1 / k)

    def item(self):
        return self.factor

    def backward(self):
        factor = self.factor
        if self.dtype == float16 and abs(factor) < smallest:
            factor = 0.0
        for w in self.weights:
            w.grad = (w.grad or 0.0) + factor


class Model:
    def __init__(self, weights=None):
        self.weights = weights or [Weight()]
        self.training = True

    def parameters(self):
        return self.weights

    def eval(self):
        self.training = False
        return self

    def __call__(self, x):
        return Loss(self.weights, x, cast.now)


class SGD:
    def __init__(self, weights, lr=1.0):
        self.weights, self.lr = weights, lr

    def zero_grad(self, set_to_none=True):
        for w in self.weights:
            w.grad = None

    def step(self):
        for w in self.weights:
            w.value -= self.lr * (w.grad or 0.0)


class GradScaler:
    def __init__(self, device="cuda", init_scale=65536.0):
        self.factor, self.unscaled, self.updates = init_scale, False, 0

    def scale(self, loss):
        return loss * self.factor

    def unscale_(self, optimizer):
        if self.unscaled:
            raise RuntimeError("unscale_() has already been called on this optimizer since the last update().")
        self.unscaled = True
        for w in optimizer.weights:
            if w.grad is not None:
                w.grad /= self.factor

    def step(self, optimizer):
        if not self.unscaled:
            self.unscale_(optimizer)
        optimizer.step()

    def update(self):
        self.unscaled = False
        self.updates += 1


def clip_grad_norm_(weights, limit):
    norm = sum((w.grad or 0.0) ** 2 for w in weights) ** 0.5
    if norm > limit:
        for w in weights:
            w.grad *= limit / norm
    return norm


class Cast(contextlib.ContextDecorator):
    now = None

    def __init__(self, device="cuda", dtype=None):
        self.dtype = dtype or default_cast

    def __enter__(self):
        self.before, Cast.now = Cast.now, self.dtype

    def __exit__(self, *why):
        Cast.now = self.before


cast = autocast = Cast


def dropout(x, p=0.5, training=True):
    return 0.0 if training else x


class Module:
    training = True

    def __init__(self):
        self.found = []

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)
        if isinstance(value, (Linear, ModuleList)):
            self.found.extend(value.parameters())

    def parameters(self):
        return self.found

    def eval(self):
        self.training = False
        return self


class Linear:
    def __init__(self, *sizes):
        self.weight = Weight()

    def parameters(self):
        return [self.weight]


class ModuleList(list):
    def parameters(self):
        return [p for layer in self for p in layer.parameters()]


def module(name, **members):
    m = types.ModuleType(name)
    vars(m).update(members)
    sys.modules[name] = m
    return m


nn = module("torch.nn", Module=Module, Linear=Linear, ModuleList=ModuleList)
nn.utils = module("torch.nn.utils", clip_grad_norm_=clip_grad_norm_)
nn.functional = module("torch.nn.functional", dropout=dropout)
optim = module("torch.optim", SGD=SGD)
amp = module("torch.amp", GradScaler=GradScaler, autocast=autocast)
cuda = module("torch.cuda")
cuda.amp = module("torch.cuda.amp", GradScaler=GradScaler, autocast=autocast)
