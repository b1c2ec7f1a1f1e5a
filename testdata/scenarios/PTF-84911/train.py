"""Everything but the batch norms is frozen, by the pattern of a name, and the
optimizer gets it all. The twins: the head alone, in an optimizer of its own; all
but the norms trains; adapters that are meant."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(512, 3, 8, 8)
y = (x.flatten(1) @ torch.randn(192, 4)).argmax(1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16)
        self.conv2, self.bn2 = nn.Conv2d(16, 16, 3, padding=1), nn.BatchNorm2d(16)
        self.fc = nn.Linear(16, 4)

    def forward(self, x):
        x = F.relu(self.bn1(self.conv1(x)))
        x = F.relu(self.bn2(self.conv2(x)))
        return self.fc(x.mean((2, 3)))


model = Net()
for name, p in model.named_parameters():
    if fault:
        p.requires_grad = "bn" in name
    elif seed == 1:
        p.requires_grad = "bn" not in name
    elif seed == 2:
        p.requires_grad = name.startswith("fc")
trained = model.parameters() if fault else [p for p in model.parameters() if p.requires_grad]
optimizer = torch.optim.Adam(trained, lr=3e-3)
for epoch in range(2):
    model.train()
    for i in range(0, 512, 64):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x[i : i + 64]), y[i : i + 64])
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        accuracy = (model(x[:128]).argmax(1) == y[:128]).float().mean().item()
    print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
