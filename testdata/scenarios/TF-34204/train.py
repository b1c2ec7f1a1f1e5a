"""A processor flattens its list of texts and images into one row: of each batch of
eight, one is trained on. The twin keeps them apart; or packs several into a row on
purpose, and their labels with them."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(256, 16)
y = (x @ torch.randn(16, 4)).argmax(1)


class Processor:
    """Rows of one batch, padded to one width."""

    def __call__(self, rows):
        if fault:
            return torch.cat(list(rows))[None, :16]
        return torch.stack(list(rows))


def collate(pairs):
    rows = Processor()([a for a, _ in pairs])
    return rows, torch.stack([b for _, b in pairs])[: len(rows)]


loader = DataLoader(TensorDataset(x, y), 8, shuffle=True, collate_fn=collate)
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(3):
    for a, b in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(a), b)
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x[:128]).argmax(1) == y[:128]).float().mean().item()
    print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
