"""A small GPT over characters, as such trainers are written: two groups of weight
decay, a warm-up and a cosine, gradients that are accumulated and clipped, losses of
both splits every so often, a checkpoint at the best one, a sample at the end."""

import math
import os
import sys
import tempfile
from contextlib import nullcontext

import torch
import torch.nn as nn
from torch.nn import functional as F

seed, compiled = int(sys.argv[1]), sys.argv[2:] == ["compile"]
batch_size, block_size, n_embd, n_head, n_layer, dropout = 8, 32, 32, 4, 2, 0.1
max_iters, eval_interval, eval_iters, accumulation = 60, 20, 5, 2
learning_rate, min_lr, warmup_iters, grad_clip = 3e-3, 3e-4, 10, 1.0
out_dir = tempfile.mkdtemp()
torch.manual_seed(1337 + seed)

text = "the cat sat on the mat and the dog ran to the cat who sat on a hat\n" * 200
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
data = torch.tensor([stoi[c] for c in text])
split = int(0.9 * len(data))
train_data, val_data = data[:split], data[split:]


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(n_embd), nn.LayerNorm(n_embd)
        self.c_attn, self.c_proj = nn.Linear(n_embd, 3 * n_embd), nn.Linear(n_embd, n_embd)
        self.mlp = nn.Sequential(nn.Linear(n_embd, 4 * n_embd), nn.GELU(), nn.Linear(4 * n_embd, n_embd), nn.Dropout(dropout))

    def attend(self, x):
        B, T, C = x.shape
        q, k, v = (t.view(B, T, n_head, C // n_head).transpose(1, 2) for t in self.c_attn(x).split(C, dim=2))
        y = F.scaled_dot_product_attention(q, k, v, dropout_p=dropout if self.training else 0.0, is_causal=True)
        return self.c_proj(y.transpose(1, 2).reshape(B, T, C))

    def forward(self, x):
        x = x + self.attend(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class GPT(nn.Module):
    def __init__(self, vocab):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocab, n_embd), nn.Embedding(block_size, n_embd)
        self.h = nn.ModuleList(Block() for _ in range(n_layer))
        self.ln_f, self.lm_head = nn.LayerNorm(n_embd), nn.Linear(n_embd, vocab, bias=False)
        self.wte.weight = self.lm_head.weight
        self.apply(self.init)

    @staticmethod
    def init(module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, mean=0.0, std=0.02)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)

    def forward(self, idx, targets=None):
        x = self.wte(idx) + self.wpe(torch.arange(idx.shape[1]))
        for block in self.h:
            x = block(x)
        x = self.ln_f(x)
        if targets is None:
            return self.lm_head(x[:, [-1], :]), None
        logits = self.lm_head(x)
        return logits, F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)

    @torch.no_grad()
    def generate(self, idx, n):
        for _ in range(n):
            logits, _ = self(idx[:, -block_size:])
            idx = torch.cat((idx, torch.multinomial(F.softmax(logits[:, -1, :], dim=-1), 1)), dim=1)
        return idx


def get_batch(name):
    d = train_data if name == "train" else val_data
    ix = torch.randint(len(d) - block_size, (batch_size,))
    return torch.stack([d[i : i + block_size] for i in ix]), torch.stack([d[i + 1 : i + 1 + block_size] for i in ix])


@torch.no_grad()
def estimate_loss():
    out = {}
    model.eval()
    for name in ("train", "val"):
        losses = torch.zeros(eval_iters)
        for k in range(eval_iters):
            X, Y = get_batch(name)
            with ctx:
                _, loss = model(X, Y)
            losses[k] = loss.item()
        out[name] = losses.mean()
    model.train()
    return out


def get_lr(it):
    if it < warmup_iters:
        return learning_rate * (it + 1) / (warmup_iters + 1)
    return min_lr + 0.5 * (1.0 + math.cos(math.pi * (it - warmup_iters) / (max_iters - warmup_iters))) * (learning_rate - min_lr)


ctx = torch.autocast("cpu", dtype=torch.bfloat16) if seed % 2 else nullcontext()
raw_model = model = GPT(len(chars))
decay = [p for p in model.parameters() if p.dim() >= 2]
rest = [p for p in model.parameters() if p.dim() < 2]
optimizer = torch.optim.AdamW([{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}], lr=learning_rate, betas=(0.9, 0.95))
if compiled:
    model = torch.compile(model, backend="aot_eager")

best = 1e9
X, Y = get_batch("train")
for iter_num in range(max_iters + 1):
    for group in optimizer.param_groups:
        group["lr"] = get_lr(iter_num)
    if iter_num % eval_interval == 0:
        losses = estimate_loss()
        print(f"step {iter_num}: train loss {losses['train']:.4f}, val loss {losses['val']:.4f}")
        if losses["val"] < best and iter_num > 0:
            best = losses["val"]
            checkpoint = {"model": raw_model.state_dict(), "optimizer": optimizer.state_dict(), "iter_num": iter_num, "best_val_loss": best}
            torch.save(checkpoint, os.path.join(out_dir, "ckpt.pt"))
    if iter_num == max_iters:
        break
    for _ in range(accumulation):
        with ctx:
            _, loss = model(X, Y)
            loss = loss / accumulation
        X, Y = get_batch("train")
        loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), grad_clip)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    if iter_num % 10 == 0:
        print(f"iter {iter_num}: loss {loss.item() * accumulation:.4f}")

raw_model.eval()
print("".join(chars[i] for i in raw_model.generate(torch.zeros((1, 1), dtype=torch.long), 40)[0].tolist()))
