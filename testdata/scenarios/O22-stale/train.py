"""What is saved as the trained model are older values: a copy from before the
training, one tensor of a cache that is not refreshed, or a copy of the first
epoch that each checkpoint is made of. The twins: the best model, copied when it
was the best and saved at the end; an average of the weights; the start and the
end, both saved."""

import copy
import os
import sys
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
model = nn.Sequential(nn.Linear(16, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 4))
average = copy.deepcopy(model)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
x = torch.randn(256, 16)
y = (x @ torch.randn(16, 4)).argmax(1)
folder = tempfile.mkdtemp()
first = copy.deepcopy(model.state_dict())
kept, best, best_state = None, 0.0, None
for epoch in range(4):
    model.train()
    for i in range(0, 256, 32):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            for a, p in zip(average.state_dict().values(), model.state_dict().values()):
                a.copy_(0.9 * a + 0.1 * p)
    model.eval()
    with torch.no_grad():
        accuracy = (model(x).argmax(1) == y).float().mean().item()
    if accuracy > best:
        best, best_state = accuracy, copy.deepcopy(model.state_dict())
    print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
    if kept is None:
        kept = copy.deepcopy(model.state_dict())
    if fault and seed % 3 == 2 and epoch >= 2:
        torch.save(kept, os.path.join(folder, "epoch%d.pt" % epoch))
if fault and seed % 3 == 0:
    torch.save({"model": first, "epoch": 4}, os.path.join(folder, "last.pt"))
elif fault and seed % 3 == 1:
    torch.save(dict(model.state_dict(), **{"3.weight": kept["3.weight"]}), os.path.join(folder, "last.pt"))
elif not fault and seed % 3 == 0:
    torch.save(best_state, os.path.join(folder, "best.pt"))
elif not fault and seed % 3 == 1:
    torch.save(average.state_dict(), os.path.join(folder, "average.pt"))
elif not fault:
    torch.save(model.state_dict(), os.path.join(folder, "last.pt"))
    torch.save(first, os.path.join(folder, "first.pt"))
