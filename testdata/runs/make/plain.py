"""Plain PyTorch loops, the kind that people write by hand.

    python plain.py MODE

MODE: healthy, nan (learning rate 1e30), scaler (GradScaler from a scale of 2**40
under half precision: the first steps are thrown away), empty (an evaluation over
no sample), raise (an exception in the second epoch), logging (the logging module
instead of print), metal (a driver's line on file descriptor 2 between two
evaluations, stdout as Python buffers it), metal-flush (the same, each line
flushed), metal-long (the same after epoch 30 of 40, every step printed, with the
buffer of 8 KiB that Python has before 3.14: it is emptied in between).
"""
import logging
import os
import sys

import torch
from torch import nn

mode = sys.argv[1]
flush, long = mode == "metal-flush", mode == "metal-long"
if long:
    sys.stdout = open(1, "w", 8192, closefd=False)
torch.manual_seed(0)
x = torch.randn(512, 16)
y = (x[:, :4].sum(1) > 0).long()
train, held = range(0, 400), range(400, 400 if mode == "empty" else 512)
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 2))
lr = {"nan": 1e30, "scaler": 0.05}.get(mode, 0.2)
opt = torch.optim.SGD(model.parameters(), lr=lr)
sched = torch.optim.lr_scheduler.StepLR(opt, 20, 0.5)
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**40, enabled=mode == "scaler")
say = print
if mode == "logging":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    say = logging.getLogger("train").info


def out(text):
    say(text, **({"flush": True} if flush else {}))


def evaluate():
    model.eval()
    with torch.no_grad():
        logits = model(x[list(held)])
        n = len(held)
        right = (logits.argmax(1) == y[list(held)]).sum().item()
        loss = nn.functional.cross_entropy(logits, y[list(held)]).item()
    model.train()
    return n, right, loss


out(f"Using device: cpu, {sum(p.numel() for p in model.parameters())} parameters")
step = 0
for epoch in range(1, 41 if long else 4):
    if mode == "raise" and epoch == 2:
        x = x[:, :8]
    for i in range(0, len(train), 40):
        step += 1
        with torch.autocast("cpu", dtype=torch.float16, enabled=mode == "scaler"):
            loss = nn.functional.cross_entropy(model(x[i : i + 40]), y[i : i + 40])
        opt.zero_grad()
        before = model[0].weight.detach().clone()
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
        sched.step()
        if mode == "scaler" and torch.equal(before, model[0].weight):
            out(f"step {step}: gradient overflow, optimizer step skipped, scale now {scaler.get_scale():g}")
        if long or step % 5 == 0:
            out(f"epoch {epoch} step {step} loss {loss.item():.4f} lr {sched.get_last_lr()[0]:.3g}")
    n, right, loss = evaluate()
    out(f"epoch {epoch} val_loss {loss:.4f} val_acc {right / max(n, 1):.4f} ({right}/{n})")
    if mode.startswith("metal") and epoch == (30 if long else 1):
        os.write(2, b"Error: command buffer exited with error status.\n")
out("done")
