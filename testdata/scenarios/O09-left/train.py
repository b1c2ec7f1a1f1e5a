"""The model is replaced by a copy of its best state after two epochs, and the loop
clears the gradients of the model, not those of the optimizer: each step uses once more
what the last backward left on the old one. The twin takes the best state back into
the same model, or shows one of its parts less often than others."""

import copy
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(512, 16)
y = (x @ torch.randn(16, 4)).argmax(1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.wide, self.narrow, self.head = nn.Linear(16, 32), nn.Linear(16, 32), nn.Linear(32, 4)

    def forward(self, inputs, both):
        hidden = self.wide(inputs) + (self.narrow(inputs) if both else 0)
        return self.head(torch.relu(hidden))


model = Net()
kinds = torch.optim.Adam, torch.optim.AdamW, torch.optim.RMSprop
optimizer = kinds[seed % 3](model.parameters(), lr=3e-3)
for epoch in range(6):
    model.train()
    for i in range(0, 512, 32):
        model.zero_grad(set_to_none=seed % 2 == 0)
        loss = F.cross_entropy(model(x[i : i + 32], both=i % 64 == 0), y[i : i + 32])
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        accuracy = (model(x, True).argmax(1) == y).float().mean().item()
    print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
    if epoch == 1:
        best = copy.deepcopy(model)
        if fault:
            model = best
        else:
            model.load_state_dict(best.state_dict())
