"""9 samples in batches of 2, two of which make an update: 3 a pass, where 2 were
planned. The loop makes the updates that were planned for 3 epochs and stops after
2; the plan is said by an argument, by what is printed, or by a bar. The twins
stop as early and say so: a limit in steps as an argument, in words, as a bar."""

import argparse
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
parser = argparse.ArgumentParser()
parser.add_argument("mode")
parser.add_argument("seed", type=int)
if seed != 1:
    parser.add_argument("--lr", type=float, default=1e-2)
if seed == 0:
    parser.add_argument("--epochs", type=int, default=3)
    if not fault:
        parser.add_argument("--max-steps", type=int, default=6)
args = parser.parse_args()

torch.manual_seed(seed)
x = torch.randn(9, 8)
y = torch.randint(0, 3, (9,))
data = DataLoader(TensorDataset(x, y), batch_size=2, shuffle=True)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
EPOCHS, ACCUMULATE = 3, 2
updates = len(data) // ACCUMULATE * EPOCHS  # rounded down, and the loop rounds up


def epochs():
    if seed != 2 or not fault:
        return range(EPOCHS)
    from tqdm import tqdm

    return tqdm(range(EPOCHS), desc="epochs")


def train():
    done, bar = 0, None
    if seed == 2 and not fault:
        from tqdm import tqdm

        bar = tqdm(total=updates, desc="updates")
    for epoch in epochs():
        model.train()
        for i, (a, b) in enumerate(data):
            loss = F.cross_entropy(model(a), b) / ACCUMULATE
            loss.backward()
            if (i + 1) % ACCUMULATE == 0 or i + 1 == len(data):
                optimizer.step()
                optimizer.zero_grad()
                done += 1
                if bar is not None:
                    bar.update()
                if done == updates:
                    if seed == 1 and not fault:
                        print("reached the limit of %d steps" % done, flush=True)
                    return
        if seed == 1:
            print("epoch %d/%d loss %.4f" % (epoch + 1, EPOCHS, loss.item() * ACCUMULATE), flush=True)


train()
model.eval()
with torch.no_grad():
    out = model(x)
accuracy = (out.argmax(1) == y).float().mean().item()
print("after %d epochs: val_accuracy %.4f" % (EPOCHS, accuracy), flush=True)
