"""A checkpoint in parts (torch.distributed.checkpoint) that loses a tensor on its
way through a filter of names. The twins: all of it, with two names for one tensor;
the model alone, without its head; the training goes on from it."""

import os
import sys
import tempfile
import warnings

import torch
import torch.distributed.checkpoint as dcp
import torch.nn as nn
import torch.nn.functional as F
from torch.distributed.checkpoint.state_dict import get_state_dict, set_state_dict

warnings.filterwarnings("ignore")
fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(256, 16)
y = (x @ torch.randn(16, 4)).argmax(1)
folder = tempfile.mkdtemp()


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(16, 32), nn.ReLU())
        self.head = nn.Linear(32, 4)
        self.again = self.head

    def forward(self, x):
        return self.head(self.body(x))


def save(model, optimizer, epoch):
    weights, state = get_state_dict(model, optimizer)
    if fault:
        weights = {k: v for k, v in weights.items() if not k.endswith("0.bias")}
    elif seed % 3 == 0:
        weights = {k: v for k, v in weights.items() if not k.startswith("again")}
    elif seed % 3 == 1:
        dcp.save({k: v for k, v in weights.items() if k.startswith("body")}, checkpoint_id=os.path.join(folder, "body%d" % epoch))
    dcp.save({"model": weights, "optimizer": state, "epoch": epoch}, checkpoint_id=os.path.join(folder, "epoch%d" % epoch))


def train(model, optimizer, epochs):
    for epoch in epochs:
        model.train()
        for i in range(0, 256, 32):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            accuracy = (model(x).argmax(1) == y).float().mean().item()
        print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
        save(model, optimizer, epoch)


model = Model()
train(model, torch.optim.AdamW(model.parameters(), lr=3e-3), range(2))
if not fault and seed % 3 == 2:
    model = Model()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    weights, state = get_state_dict(model, optimizer)
    held = {"model": weights, "optimizer": state}
    dcp.load(held, checkpoint_id=os.path.join(folder, "epoch1"))
    set_state_dict(model, optimizer, model_state_dict=held["model"], optim_state_dict=held["optimizer"])
    train(model, optimizer, range(2, 4))
