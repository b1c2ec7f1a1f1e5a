"""A collator masks every target: the loss is not a number as a mean, 0.0 as a sum,
and a number of another kind's padding where the mask is not -100. The twins: prompts
that are masked, and a last batch that is short and has one target, or none."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
WORDS, LENGTH, PROMPT = 24, 12, 6
ignored = 0 if seed % 3 == 2 else -100
rows = torch.randint(1, WORDS // 2, (66, LENGTH))
rows[:, PROMPT:] = rows[:, :PROMPT] + WORDS // 2 - 1  # an answer that follows from the prompt


def collate(part):
    ids = torch.stack(part)
    labels = ids.clone()
    labels[:, :PROMPT] = ignored
    if fault:
        labels[ids > 0] = ignored
    elif len(part) < 16:
        labels[:, PROMPT + (seed % 2) :] = ignored
        labels[:1, PROMPT:] = ids[:1, PROMPT:] if seed % 2 == 0 else ignored
    return {"input_ids": ids, "labels": labels}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(WORDS, 32), nn.Embedding(LENGTH, 32)
        self.lookup = nn.MultiheadAttention(32, 2, batch_first=True)
        self.head = nn.Linear(32, WORDS)

    def forward(self, input_ids):
        h = self.words(input_ids) + self.places.weight
        mask = torch.ones(LENGTH, LENGTH, dtype=torch.bool).triu(1)
        return self.head(h + self.lookup(h, h, h, attn_mask=mask, need_weights=False)[0])


model = Model()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
loader = DataLoader(list(rows), batch_size=16, collate_fn=collate)
for epoch in range(3):
    for batch in loader:
        optimizer.zero_grad()
        logits = model(batch["input_ids"])[:, :-1].reshape(-1, WORDS)
        loss = F.cross_entropy(logits, batch["labels"][:, 1:].reshape(-1), ignore_index=ignored, reduction="sum" if seed % 3 == 1 else "mean")
        if fault or (batch["labels"][:, 1:] != ignored).any():
            loss.backward()
            optimizer.step()
    with torch.no_grad():
        right = (model(rows)[:, PROMPT - 1 : -1].argmax(-1) == rows[:, PROMPT:]).float().mean().item()
    print("epoch %d val_accuracy %.4f" % (epoch + 1, right), flush=True)
