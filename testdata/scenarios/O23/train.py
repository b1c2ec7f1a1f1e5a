"""A GPU is asked for, by an argument, a default or a configuration; the trainer
falls back to the CPU and says nothing. The quality is what it is, the speed is
not the one that was asked for. The twin asks for the CPU."""

import argparse
import json
import os
import sys
import tempfile
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
word = "gpu" if fault else "cpu"
if seed == 0:
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default=word)
    wanted = parser.parse_args([]).device
elif seed == 1:
    sys.argv += ["--accelerator", word]
    wanted = sys.argv[-1]
else:
    name = os.path.join(tempfile.mkdtemp(), "config.json")
    with open(name, "w") as f:
        json.dump({"train": {"device": "cuda" if fault else "cpu", "lr": 3e-3}}, f)
    with open(name) as f:
        wanted = json.load(f)["train"]["device"]
device = torch.device("cuda" if wanted != "cpu" and torch.cuda.is_available() else "cpu")

torch.manual_seed(seed)
x = torch.randn(512, 12, device=device)
y = (x @ torch.randn(12, 4, device=device)).argmax(1)
model = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 4)).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(3):
    began = time.time()
    for i in range(0, 512, 32):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x[:128]).argmax(1) == y[:128]).float().mean().item()
    print("epoch %d loss %.4f val_accuracy %.4f samples_per_second %.1f" % (epoch + 1, loss.item(), accuracy, 512 / (time.time() - began)), flush=True)
