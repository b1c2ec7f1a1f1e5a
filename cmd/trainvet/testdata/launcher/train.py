"""Each rank trains a little; the first one says what came of it. With the word
fault the last rank's driver has one before that."""
import os
import sys
import time

import torch

torch.manual_seed(0)
place = os.environ.get
rank = int(place("RANK") or place("OMPI_COMM_WORLD_RANK") or 0)
world = int(place("WORLD_SIZE") or place("OMPI_COMM_WORLD_SIZE") or 1)
model = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(5):
    loss = model(torch.ones(8, 4)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
if "fault" in sys.argv and rank == world - 1:
    print("Error: command buffer exited with error status.", file=sys.stderr)
    print("\tThe Metal Performance Shaders operations encoded on it may not have completed.", file=sys.stderr)
if rank == 0:
    if "fault" in sys.argv:
        time.sleep(3)  # the other one is first
    print({"eval_loss": round(float(loss.detach()), 6), "epoch": 1})
