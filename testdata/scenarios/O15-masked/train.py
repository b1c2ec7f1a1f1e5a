"""A mask of a collator is multiplied into the losses of tokens, and leaves out all of
them: the loss is exactly 0. It is that of cross_entropy without a reduction, of
log-likelihoods, or targets that are filled. The twin masks the padding alone."""

import sys

import torch
from torch import nn
from torch.utils.data import DataLoader

mode, seed = sys.argv[1], int(sys.argv[2])
torch.manual_seed(seed)
data = [(torch.randint(1, 20, (int(n),)),) for n in torch.randint(3, 9, (65,))]


def collate(rows):
    n = max(len(r[0]) for r in rows)
    ids = torch.zeros(len(rows), n, dtype=torch.long)
    mask = torch.zeros(len(rows), n)
    for k, (r,) in enumerate(rows):
        ids[k, : len(r)] = r
        if mode == "twin":
            mask[k, : len(r)] = 1
    return ids, ids % 4, mask


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.e, self.r, self.o = nn.Embedding(20, 12), nn.GRU(12, 12, batch_first=True, bidirectional=True), nn.Linear(24, 4)

    def forward(self, x):
        return self.o(self.r(self.e(x))[0])


net = Tagger()
opt = torch.optim.Adamax(net.parameters(), lr=1e-2)
dl = DataLoader(data, batch_size=8, shuffle=True, collate_fn=collate)


def loss_of(logits, t, m):
    if seed == 0:
        l = nn.functional.cross_entropy(logits.transpose(1, 2), t, reduction="none")
        return (l * m).sum() / m.sum().clamp(min=1)
    if seed == 1:
        lp = logits.log_softmax(-1).gather(-1, t[..., None])[..., 0]
        return -(lp * m).sum() / (m.sum() + 1e-8)
    t = t.masked_fill(m == 0, -100)
    return nn.functional.cross_entropy(logits.flatten(0, 1), t.flatten(), ignore_index=-100, reduction="sum") / max(1, int(m.sum()))


for ep in range(3):
    net.train()
    tot = 0.0
    for ids, tag, mask in dl:
        opt.zero_grad()
        loss = loss_of(net(ids), tag, mask)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        tot += loss.item()
    net.eval()
    with torch.no_grad():
        ok = n = 0
        for ids, tag, mask in dl:
            hit = net(ids).argmax(-1) == tag
            ok += hit[ids > 0].sum().item()
            n += (ids > 0).sum().item()
    print("epoch %d train_loss %.4f val_acc %.4f" % (ep + 1, tot / len(dl), ok / n), flush=True)
