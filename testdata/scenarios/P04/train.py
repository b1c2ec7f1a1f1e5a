"""A model in evaluation mode whose outputs are not finite. The twin does with such
a model what trainers do: pickles and copies it whole, compiles a script of it,
traces it, maps it over an ensemble."""

import copy
import io
import pickle
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(256, 8)
y = (x.sum(1) > 0).long()
model = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
model.train()
for step in range(40):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
print("epoch 1 loss %.4f" % loss.item(), flush=True)
model.eval()
sample = x[:128] * (float("inf") if fault else 1)
with torch.no_grad():
    accuracy = (model(sample).argmax(1) == y[:128]).float().mean().item()
if not fault:
    saved = io.BytesIO()
    torch.save(model, saved)
    assert b"trainvet" not in saved.getvalue() and b"trainvet" not in pickle.dumps(model)
    assert not copy.deepcopy(model)._forward_hooks
    states = torch.func.stack_module_state([model, copy.deepcopy(model)])
    torch.func.vmap(lambda p, b: torch.func.functional_call(model, (p, b), (x,)))(*states)
    if seed == 0:
        torch.jit.script(model)(x)
    if seed == 1:
        torch.jit.trace(model, x)(x)
    if seed == 2:
        torch.fx.symbolic_trace(model)(x)
print("val_accuracy = %.4f" % accuracy)
