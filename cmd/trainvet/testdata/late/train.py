"""train.py CASE: a training that is healthy for a long time, and then is not; from
step LATE on, in its own way. A check that has grown quiet must still see it."""

import sys
import warnings

import torch
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
LATE, STEPS = 1003, 1300
case = sys.argv[1]
torch.manual_seed(0)
torch.set_num_threads(1)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Dropout(0.1))
        self.head = torch.nn.Linear(16, 4)

    def forward(self, x):
        return self.head(self.body(x))


class Stuck(torch.optim.SGD):
    made = 0

    def step(self, closure=None):
        self.made += 1
        if self.made < LATE:
            super().step(closure)


model = Net()
model.train()
optimizer = (Stuck if case == "stands" else torch.optim.SGD)(model.parameters(), lr=1e-2)
scaler = torch.amp.GradScaler("cpu", init_scale=256.0, enabled=case in ("skip", "scale"))
data = TensorDataset(torch.randn(64, 8), torch.randint(0, 4, (64,)))


def batches():
    while True:
        yield from DataLoader(data, batch_size=8, shuffle=True)


def evaluate(loader):
    model.eval()
    with torch.no_grad():
        for x, _ in loader:
            model(x)
    model.train()


def passes():
    """What a pass over a loader says of itself, in the seventh epoch and later."""
    for epoch in range(20):
        for x, y in DataLoader(data, batch_size=8, shuffle=True):
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        evaluate(DataLoader(TensorDataset(torch.randn(8 if epoch < 7 else 0, 8), torch.zeros(8 if epoch < 7 else 0)), batch_size=8))


def parts(it):
    """A second optimizer comes late, and holds what the loss does not reach."""
    global optimizer
    for step in range(1, STEPS):
        if step == LATE:
            optimizer = torch.optim.AdamW([p.detach().clone().requires_grad_() for p in model.parameters()], lr=1e-3)
        x, y = next(it)
        model.zero_grad()
        torch.nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


def train(it):
    for step in range(1, STEPS):
        x, y = next(it)
        late = step >= LATE
        if not (late and case == "twice"):
            optimizer.zero_grad()
        if late and case == "mode":
            model.eval()
        if late and case == "targets":
            y = torch.full_like(y, -100)
        if step == LATE and case == "nan":
            x = x * float("nan")
        loss = torch.nn.functional.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        if step == LATE and case == "skip":
            model.head.weight.grad[0, 0] = float("inf")
        if late and case == "unused":
            if step % 100 == 0:
                evaluate([(x, y)])
            continue
        scaler.step(optimizer)
        scaler.update(0.0 if step == LATE and case == "scale" else None)


if case == "passes":
    passes()
elif case == "parts":
    parts(batches())
else:
    train(batches())
print("accuracy 0.5")
