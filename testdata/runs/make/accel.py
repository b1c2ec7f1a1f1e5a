"""accelerate with its logger and a JSON lines file of its own.

    python accel.py MODE

MODE: healthy; nan (an infinite input in the second epoch).
"""
import json
import logging
import sys

import torch
from accelerate import Accelerator
from accelerate.logging import get_logger
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

mode = sys.argv[1]
logging.basicConfig(format="%(asctime)s - %(levelname)s - %(name)s - %(message)s", datefmt="%m/%d/%Y %H:%M:%S", level=logging.INFO)
acc = Accelerator(cpu=True, mixed_precision="bf16")
log = get_logger("accel")
log.info(acc.state)
torch.manual_seed(0)
x = torch.randn(640, 16)
y = (x[:, :4].sum(1) > 0).long()
if mode == "nan":
    x[100, 3] = float("inf")
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 2))
opt = torch.optim.AdamW(model.parameters(), lr=1e-2)
model, opt, train, held = acc.prepare(model, opt, DataLoader(TensorDataset(x[:512], y[:512]), 32),
                                      DataLoader(TensorDataset(x[512:], y[512:]), 64))
log.info("***** Running training *****")
log.info("  Num examples = 512")
file = open("log.jsonl", "w")
step = 0
for epoch in range(3):
    model.train()
    for a, b in train:
        loss = nn.functional.cross_entropy(model(a), b)
        acc.backward(loss)
        opt.step()
        opt.zero_grad()
        step += 1
        if step % 8 == 0:
            file.write(json.dumps({"step": step, "epoch": epoch, "train_loss": loss.item()}) + "\n")
            log.info(f"epoch {epoch}: step {step}: train_loss: {loss.item():.4f}")
    model.eval()
    right = seen = 0
    with torch.no_grad():
        for a, b in held:
            p, b = acc.gather_for_metrics((model(a).argmax(-1), b))
            right, seen = right + (p == b).sum().item(), seen + len(b)
    file.write(json.dumps({"step": step, "epoch": epoch, "eval_accuracy": right / seen, "eval_samples": seen}) + "\n")
    log.info(f"epoch {epoch}: {{'accuracy': {right / seen}}}")
