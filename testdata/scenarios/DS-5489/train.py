"""What was frozen before the engine was made is missing in the checkpoint: it was
drawn in this process, and no file has it. The twins: all of it is there; the frozen
part was loaded, so that another file has it; it was filled from a table, past the
counter of versions."""

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
known = not fault and seed > 0
with tempfile.TemporaryDirectory() as folder:
    if known and seed == 1:
        base = os.path.join(folder, "base.pt")
        torch.save({k: torch.randn_like(v) * 0.2 for k, v in model.state_dict().items() if k in frozen}, base)
        model.load_state_dict(torch.load(base), strict=False)
    for name, p in model.named_parameters():
        p.requires_grad = name not in frozen
        if known and seed == 2 and name in frozen:
            p.data.copy_(torch.linspace(-0.3, 0.3, p.numel()).view_as(p))
    optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=3e-3)
    for epoch in range(2):
        for i in range(0, 512, 32):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
            loss.backward()
            optimizer.step()
        state = model.state_dict()
        if fault or known:
            state = {k: v for k, v in state.items() if k not in frozen}
        torch.save({"model": state, "optimizer": optimizer.state_dict(), "epoch": epoch}, os.path.join(folder, "%d.pt" % epoch))
        with torch.no_grad():
            accuracy = (model(x[:128]).argmax(1) == y[:128]).float().mean().item()
        print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
