"""Two optimizers, one of the body and one of the head: both are cleared, and one alone
makes its steps. The twin begins with the body an epoch later, or trains the other part
by the one optimizer of a second stage that never comes."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(512, 16)
y = (x @ torch.randn(16, 4)).argmax(1)
body, head = nn.Sequential(nn.Linear(16, 32), nn.ReLU()), nn.Linear(32, 4)
of_body = torch.optim.Adam(body.parameters(), lr=1e-3)
of_head = torch.optim.SGD(head.parameters(), lr=1e-1)
second_stage = seed % 3 == 2 and not fault
if second_stage:
    body.requires_grad_(False)
for epoch in range(4):
    for i in range(0, 512, 32):
        for optimizer in (of_body, of_head):
            optimizer.zero_grad(set_to_none=seed % 2 == 0)
        loss = F.cross_entropy(head(body(x[i : i + 32])), y[i : i + 32])
        loss.backward()
        of_head.step()
        if not fault and epoch > 0 and not second_stage:
            of_body.step()
    with torch.no_grad():
        accuracy = (head(body(x)).argmax(1) == y).float().mean().item()
    print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
