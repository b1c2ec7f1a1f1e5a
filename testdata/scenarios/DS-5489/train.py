"""What was frozen before the engine was made is missing in the checkpoint. The twins:
all of it is there; adapters alone are saved, and the backbone is known."""

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
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 4))
frozen = {"0.weight", "0.bias"} if seed else {"2.weight"}
for name, p in model.named_parameters():
    p.requires_grad = name not in frozen
optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=3e-3)
with tempfile.TemporaryDirectory() as folder:
    for epoch in range(2):
        for i in range(0, 512, 32):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
            loss.backward()
            optimizer.step()
        state = model.state_dict()
        if fault:
            state = {k: v for k, v in state.items() if k not in frozen}
        torch.save({"model": state, "optimizer": optimizer.state_dict(), "epoch": epoch}, os.path.join(folder, "%d.pt" % epoch))
        with torch.no_grad():
            accuracy = (model(x[:128]).argmax(1) == y[:128]).float().mean().item()
        print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
