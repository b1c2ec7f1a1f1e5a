"""A mean that a module keeps anew each time, and one batch that makes it NaN. The
twin has buffers that are not finite and are meant so: a causal mask, the least
value seen, a mean that nobody has asked for, and rows of padding in its output."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)


class Pointer(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.dropout = nn.Linear(8, 16), nn.Linear(8, 16), nn.Dropout(0.1)
        self.register_buffer("mask", torch.full((6, 6), float("-inf")).triu(1))
        self.register_buffer("least", torch.tensor(float("inf")))
        self.register_buffer("offset", torch.full((8,), float("nan")))
        self.register_buffer("center", torch.zeros(8))

    def forward(self, batch, padding):
        if self.training:
            self.center = 0.9 * self.center + 0.1 * batch.mean((0, 1))
        batch = batch - self.center.nan_to_num()
        scores = self.dropout(self.query(batch)) @ self.key(batch).transpose(1, 2) + self.mask
        return scores.masked_fill(padding[:, :, None], float("-inf"))


def batch():
    data = torch.randn(16, 6, 8)
    padding = torch.arange(6)[None] >= torch.randint(3, 7, (16, 1))
    return data, padding, torch.zeros(16, 6, dtype=torch.long).masked_fill(padding, -100)


model = Pointer()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
model.train()
for step in range(1, 41):
    data, padding, labels = batch()
    if fault and step == 20:
        model(data * float("nan"), padding)
    optimizer.zero_grad()
    loss = F.cross_entropy(model(data, padding)[~padding], labels[~padding])
    loss.backward()
    optimizer.step()
    if step % 20 == 0:
        model.eval()
        with torch.no_grad():
            data, padding, labels = batch()
            accuracy = (model(data, padding).argmax(-1) == labels)[~padding].float().mean().item()
        model.train()
        print("step %d loss %.4f val_accuracy %.4f" % (step, loss.item(), accuracy), flush=True)
