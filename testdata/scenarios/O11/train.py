"""Parameters are frozen by a pattern of their names that catches more than was
meant: the norms are left, 128 of 1,732 values, and the optimizer is given all. The
twins: an adapter of about 1 %, of which the optimizer holds exactly that; a linear
probe and a frozen embedding, with an optimizer that is given all."""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)
x = torch.randn(512, 12)
y = (x @ torch.randn(12, 4)).argmax(1)


class Net(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.layer1, self.bn1 = nn.Linear(12, width), nn.BatchNorm1d(width)
        self.layer2, self.bn2 = nn.Linear(width, width), nn.BatchNorm1d(width)
        self.layer_out = nn.Linear(width, 4)

    def features(self, x):
        x = F.relu(self.bn1(self.layer1(x)))
        return F.relu(self.bn2(self.layer2(x)))

    def forward(self, x):
        return self.layer_out(self.features(x))


class Adapted(nn.Module):
    def __init__(self, net, width):
        super().__init__()
        self.net = net.requires_grad_(False)
        self.down, self.up = nn.Linear(width, 2, bias=False), nn.Linear(2, width, bias=False)

    def forward(self, x):
        x = self.net.features(x)
        return self.net.layer_out(x + self.up(F.relu(self.down(x))))


class Looked(nn.Module):
    """Values are put into bins that have an embedding, which stays as it is."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(4096, 8)
        self.hidden, self.head = nn.Linear(96, 32), nn.Linear(32, 4)

    def forward(self, x):
        bins = ((x.clamp(-3, 3) + 3) / 6 * 4095).long()
        return self.head(F.relu(self.hidden(self.embedding(bins).flatten(1))))


model, params = Net(), None
if fault:
    for name, p in model.named_parameters():
        if seed == 0:
            p.requires_grad = "bn" in name
        elif name.startswith("layer"):  # the last one was to train
            p.requires_grad_(False)
    if seed == 2:
        optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
elif seed == 0:
    model = Adapted(Net(128), 128)
    params = [p for p in model.parameters() if p.requires_grad]
elif seed == 1:
    for name, p in model.named_parameters():
        p.requires_grad = name.startswith("layer_out")
else:
    model = Looked()
    model.embedding.weight.requires_grad = False
if not (fault and seed == 2):
    optimizer = torch.optim.Adam(params or model.parameters(), lr=3e-3)
for epoch in range(3):
    model.train()
    for i in range(0, 512, 32):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x[i : i + 32]), y[i : i + 32])
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        accuracy = (model(x[:128]).argmax(1) == y[:128]).float().mean().item()
    print("epoch %d loss %.4f val_accuracy %.4f" % (epoch + 1, loss.item(), accuracy), flush=True)
