"""train.py ENGINE fault|twin: 40 steps in half precision. The fault overflows at 8 of
them, the twin at one: that is how a loss scale finds its place."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

engine_name, fault = sys.argv[1], sys.argv[2] == "fault"
overflows = set(range(9, 17)) if fault else {9}
torch.manual_seed(0)
x = torch.randn(640, 16)
y = (x @ torch.randn(16, 4)).argmax(1)
x = x.half()
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4)).half()
weights = [p for p in model.parameters() if p.ndim > 1]
biases = [p for p in model.parameters() if p.ndim == 1]


def adam(*groups):
    return torch.optim.AdamW([{"params": g} for g in groups], lr=3e-3)


class Wrapped:
    """Megatron's and ColossalAI's loops: the loss is scaled by what the optimizer says."""

    def __init__(self, optimizer):
        self.optimizer = optimizer

    def backward(self, loss):
        if hasattr(self.optimizer, "backward"):
            self.optimizer.backward(loss)
        else:
            self.optimizer.scale_loss(loss).backward()

    def step(self):
        self.optimizer.step()
        self.optimizer.zero_grad()


def build():
    if engine_name.startswith("deepspeed"):
        import deepspeed

        config = {"fp16": {"initial_scale": 256}, "zero_optimization": engine_name == "deepspeed-zero"}
        if engine_name == "deepspeed-gathers":
            config["gradient_accumulation_steps"] = 2
        return deepspeed.initialize(model=model, optimizer=adam(weights, biases), config=config)[0]
    if engine_name == "megatron":
        from megatron.core.optimizer.optimizer import MixedPrecisionOptimizer

        return Wrapped(MixedPrecisionOptimizer(adam(weights, biases), scale=256.0))
    if engine_name == "megatron-chained":
        from megatron.core.optimizer.optimizer import ChainedOptimizer, MixedPrecisionOptimizer

        return Wrapped(ChainedOptimizer([MixedPrecisionOptimizer(o, scale=256.0) for o in (adam(weights), adam(biases), None)]))
    from colossalai.amp.naive_amp.mixed_precision_optimizer import MixedPrecisionOptimizer

    return Wrapped(MixedPrecisionOptimizer(adam(weights, biases), initial_scale=256))


engine = build()
micro = getattr(engine, "accumulation", 1)
for step in range(1, 41):
    model.train()
    for k in range(micro):
        i = (step * micro + k) * 16 % 640
        loss = F.cross_entropy(model(x[i : i + 16]).float(), y[i : i + 16])
        if step in overflows:
            loss = loss * 1e30
        engine.backward(loss)
        engine.step()
model.eval()
with torch.no_grad():
    accuracy = (model(x).argmax(1) == y).float().mean().item()
print("eval_accuracy = %.4f" % accuracy, flush=True)
