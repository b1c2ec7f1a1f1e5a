"""The save path changes the state that it was given, in variables of its own: what
is on the disk is not the model. The twins save what is there, in half precision,
or an average that is kept beside it."""

import os
import sys
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(512, 16)
y = (x @ torch.randn(16, 4)).argmax(1)
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
average = {k: v.clone() for k, v in model.state_dict().items()}
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)


def save(folder, epoch):
    state = {k: v.clone() for k, v in model.state_dict().items()}
    if fault:
        name = list(state)[seed]
        state[name] = torch.zeros_like(state[name])  # a placeholder that nobody filled
    elif seed == 1:
        state = {k: v.half() for k, v in state.items()}
    elif seed == 2:
        state = average
    torch.save(state, os.path.join(folder, "model-%d.pt" % epoch))


with tempfile.TemporaryDirectory() as folder:
    for epoch in range(2):
        for i in range(0, 512, 32):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
            loss.backward()
            optimizer.step()
            for k, v in model.state_dict().items():
                average[k].lerp_(v, 0.1)
        save(folder, epoch + 1)
        with torch.no_grad():
            accuracy = (model(x[:128]).argmax(1) == y[:128]).float().mean().item()
        print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
