"""The saved file lacks one tensor that was trained: it was filtered out, popped,
or its name was written over. The twins: tied weights that are stored once, the
trainable part of a model beside a frozen one, a half-precision export beside a
buffer that is never saved and an optimizer in a file of its own."""

import os
import sys
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(16, 16), nn.BatchNorm1d(16), nn.ReLU())
        self.head = nn.Linear(16, 16)
        self.tied = nn.Linear(16, 16, bias=False)
        self.tied.weight = self.head.weight
        self.register_buffer("scale", torch.ones(1), persistent=False)

    def forward(self, x):
        return self.tied(self.head(self.body(x))) * self.scale


def saved(model):
    state = model.state_dict()
    if fault:
        if seed % 3 == 0:
            return {k: v for k, v in state.items() if not k.endswith(("head.weight", "tied.weight"))}
        if seed % 3 == 1:
            state.pop("tied.weight")
            state.pop("head.weight")
            return {"model": state, "optimizer": optimizer.state_dict(), "epoch": epoch}
        names = [k if not k.endswith("weight") or "body" in k else "weight" for k in state]
        return {"module." + k: v.clone() for k, v in zip(names, state.values()) if k != "weight"}
    if seed % 3 == 0:
        state.pop("tied.weight")
        return state
    if seed % 3 == 1:
        return {n: p.detach().clone() for n, p in model.named_parameters() if p.requires_grad and n != "tied.weight"}
    return {k: v.half() for k, v in state.items()}


model = Net()
if not fault and seed % 3 == 1:  # a frozen body, of which no statistic moves
    model.body.requires_grad_(False)
optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=3e-3)
x = torch.randn(256, 16)
y = (x @ torch.randn(16, 4)).argmax(1)
for epoch in range(4):
    model.train()
    if not fault and seed % 3 == 1:
        model.body.eval()
    for i in range(0, 256, 32):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x[i : i + 32])[:, :4], y[i : i + 32])
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        accuracy = (model(x)[:, :4].argmax(1) == y).float().mean().item()
    print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
with tempfile.TemporaryDirectory() as folder:
    torch.save(saved(model), os.path.join(folder, "model.pt"))
    torch.save(optimizer.state_dict(), os.path.join(folder, "optimizer.pt"))
    torch.save({"x": x, "y": y}, os.path.join(folder, "data.pt"))
