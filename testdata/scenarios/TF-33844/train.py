"""Attention gets its dropout without asking whether the model trains: evaluation is
another one each time. The twins: dropout that asks; noise in an evaluation that is
meant, of a model that draws latents; Monte Carlo dropout, one input many times."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(256, 8, 16)
y = (x.mean(1) @ torch.randn(16, 4)).argmax(1)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.dropout = 0.2
        self.qkv, self.out = nn.Linear(16, 48), nn.Linear(16, 4)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        always = fault or seed == 2
        if seed == 1:
            mixed = F.scaled_dot_product_attention(q, k, v, dropout_p=self.dropout if always or self.training else 0.0)
        else:
            weights = F.dropout((q @ k.transpose(1, 2) / 4).softmax(-1), self.dropout, always or self.training)
            mixed = weights @ v
        if not fault and seed == 0:
            mixed = mixed + 0.01 * torch.randn_like(mixed)
        return self.out(mixed.mean(1))


model = Attention()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(3):
    model.train()
    for i in range(0, 256, 32):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
        loss.backward()
        optimizer.step()
    model.eval()
    right = 0
    with torch.no_grad():
        for i in range(0, 128, 32):
            batch = x[i : i + 32]
            if not fault and seed == 2:
                logits = torch.stack([model(batch) for _ in range(4)]).mean(0)
            else:
                logits = model(batch)
            right += (logits.argmax(1) == y[i : i + 32]).sum().item()
    print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), right / 128), flush=True)
