"""No zero_grad, at a learning rate so small that no curve shows it. The twin clears,
by the optimizer or by hand, once a window of micro-batches."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(512, 16)
y = (x @ torch.randn(16, 4)).argmax(1)
model = nn.Sequential(nn.Conv1d(1, 8, 3), nn.Flatten(), nn.Linear(112, 4))
optimizer = (torch.optim.Adam, torch.optim.SGD, torch.optim.RMSprop)[seed](model.parameters(), lr=1e-5)
for epoch in range(2):
    for k, i in enumerate(range(0, 512, 32)):
        loss = F.cross_entropy(model(x[i : i + 32, None]), y[i : i + 32])
        (loss / 2).backward()
        if fault:
            optimizer.step()
        elif k % 2:
            optimizer.step()
            if seed:
                optimizer.zero_grad(set_to_none=seed == 1)
            else:
                for p in model.parameters():
                    p.grad.zero_()
    with torch.no_grad():
        accuracy = (model(x[:128, None]).argmax(1) == y[:128]).float().mean().item()
    print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
