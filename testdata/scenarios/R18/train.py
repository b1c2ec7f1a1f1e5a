"""A training goes on from its checkpoint with the model alone: the state of the
optimizer, or that of the schedule, or of one optimizer of two, is in the file and
nobody loads it. The twins: all of it is loaded; the schedule is wound forward by
hand; a new training starts from the weights of an older one, with another head."""

import os
import sys
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(256, 16)
y = (x @ torch.randn(16, 4)).argmax(1)
folder = tempfile.mkdtemp()


def build(classes=4):
    model = nn.ModuleDict({"body": nn.Sequential(nn.Linear(16, 32), nn.ReLU()), "head": nn.Linear(32, classes)})
    parts = [model["body"].parameters(), model["head"].parameters()] if seed % 3 == 2 else [model.parameters()]
    optimizers = [torch.optim.AdamW(p, lr=3e-3) for p in parts]
    schedules = [torch.optim.lr_scheduler.LambdaLR(o, lambda e: 0.8**e) for o in optimizers]
    return model, optimizers, schedules


def train(model, optimizers, schedules, epochs, name):
    for epoch in epochs:
        model.train()
        for i in range(0, 256, 32):
            for o in optimizers:
                o.zero_grad()
            loss = F.cross_entropy(model["head"](model["body"](x[i : i + 32])), y[i : i + 32])
            loss.backward()
            for o in optimizers:
                o.step()
        for s in schedules:
            s.step()
        model.eval()
        with torch.no_grad():
            accuracy = (model["head"](model["body"](x)).argmax(1) == y).float().mean().item()
        print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
        state = {"model": model.state_dict(), "epoch": epoch}
        state["optimizers"] = [o.state_dict() for o in optimizers]
        state["schedules"] = [s.state_dict() for s in schedules]
        torch.save(state, os.path.join(folder, name))


train(*build(), range(2), "last.pt")
saved = torch.load(os.path.join(folder, "last.pt"), weights_only=False)
if not fault and seed % 3 == 1:
    folder = tempfile.mkdtemp()
    model, optimizers, schedules = build(classes=8)
    model.load_state_dict({k: v for k, v in saved["model"].items() if "head" not in k}, strict=False)
    train(model, optimizers, schedules, range(2), "new.pt")
else:
    model, optimizers, schedules = build()
    model.load_state_dict(saved["model"])
    if not fault or seed % 3 != 0:
        optimizers[0].load_state_dict(saved["optimizers"][0])
    if not fault and len(optimizers) > 1:
        optimizers[1].load_state_dict(saved["optimizers"][1])
    if fault and seed % 3 == 0 or not fault and seed % 3 == 2:
        for s, state in zip(schedules, saved["schedules"]):
            s.load_state_dict(state)
    elif not fault:
        for s in schedules:
            for _ in range(2):
                s.step()
    train(model, optimizers, schedules, range(2, 4), "last.pt")
