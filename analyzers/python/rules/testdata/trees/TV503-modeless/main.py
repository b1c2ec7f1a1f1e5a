import timm
import torch
import torch.nn.functional as F
from torch import nn

from layers import Dropped, Held, Made, Plain, Recurrent, normalised, tower

# A model that gives the same in either mode trains no worse in the wrong one.

plain = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(plain.parameters(), lr=0.1)
for epoch in range(10):
    for x, y in loader:
        F.mse_loss(plain(x), y).backward()
        opt.step()
        opt.zero_grad()
    plain.eval()  # ok: no layer of it asks for the mode
    with torch.no_grad():
        print(F.mse_loss(plain(x_val), y_val))


own = Plain(8, 2).to(device)
opt = torch.optim.SGD(own.parameters(), lr=0.1)
for epoch in range(10):
    for x, y in loader:
        F.mse_loss(own(x), y).backward()
        opt.step()
        opt.zero_grad()
    own.eval()  # ok: all of its layers are seen, over two files
    with torch.no_grad():
        print(F.mse_loss(own(x_val), y_val))


tall = tower(8)
opt = torch.optim.SGD(tall.parameters(), lr=0.1)
for epoch in range(10):
    for x, y in loader:
        F.mse_loss(tall(x), y).backward()
        opt.step()
        opt.zero_grad()
    tall.eval()  # ok: what a function gives is seen
    with torch.no_grad():
        print(F.mse_loss(tall(x_val), y_val))


spread = nn.DataParallel(Plain(8, 2))
opt = torch.optim.SGD(spread.parameters(), lr=0.1)
for epoch in range(10):
    for x, y in loader:
        F.mse_loss(spread(x), y).backward()
        opt.step()
        opt.zero_grad()
    spread.eval()  # ok: a wrapper has what it wraps
    with torch.no_grad():
        print(F.mse_loss(spread(x_val), y_val))


noisy = nn.Sequential(nn.Linear(2, 8), nn.Dropout(0.5))
opt = torch.optim.SGD(noisy.parameters(), lr=0.1)
for epoch in range(10):
    for x, y in loader:
        F.mse_loss(noisy(x), y).backward()
        opt.step()
        opt.zero_grad()
    noisy.eval()  # want TV503 "from here noisy is in evaluation mode"
    with torch.no_grad():
        print(F.mse_loss(noisy(x_val), y_val))


norm = normalised(8)
opt = torch.optim.SGD(norm.parameters(), lr=0.1)
for epoch in range(10):
    for x, y in loader:
        F.mse_loss(norm(x), y).backward()
        opt.step()
        opt.zero_grad()
    norm.eval()  # want TV503 "from here norm is in evaluation mode"
    with torch.no_grad():
        print(F.mse_loss(norm(x_val), y_val))


dropped = Dropped(8, 2)
opt = torch.optim.SGD(dropped.parameters(), lr=0.1)
for epoch in range(10):
    for x, y in loader:
        F.mse_loss(dropped(x), y).backward()
        opt.step()
        opt.zero_grad()
    dropped.eval()  # want TV503 "from here dropped is in evaluation mode"
    with torch.no_grad():
        print(F.mse_loss(dropped(x_val), y_val))


rec = Recurrent(8, 0.1)
opt = torch.optim.SGD(rec.parameters(), lr=0.1)
for epoch in range(10):
    for x, y in loader:
        F.mse_loss(rec(x), y).backward()
        opt.step()
        opt.zero_grad()
    rec.eval()  # want TV503 "from here rec is in evaluation mode"
    with torch.no_grad():
        print(F.mse_loss(rec(x_val), y_val))


held = Held(backbone())
opt = torch.optim.SGD(held.parameters(), lr=0.1)
for epoch in range(10):
    for x, y in loader:
        F.mse_loss(held(x), y).backward()
        opt.step()
        opt.zero_grad()
    held.eval()  # want TV503 "from here held is in evaluation mode"
    with torch.no_grad():
        print(F.mse_loss(held(x_val), y_val))


made = Made(factory)
opt = torch.optim.SGD(made.parameters(), lr=0.1)
for epoch in range(10):
    for x, y in loader:
        F.mse_loss(made(x), y).backward()
        opt.step()
        opt.zero_grad()
    made.eval()  # want TV503 "from here made is in evaluation mode"
    with torch.no_grad():
        print(F.mse_loss(made(x_val), y_val))


lib = timm.create_model('resnet18')
opt = torch.optim.SGD(lib.parameters(), lr=0.1)
for epoch in range(10):
    for x, y in loader:
        F.mse_loss(lib(x), y).backward()
        opt.step()
        opt.zero_grad()
    lib.eval()  # want TV503 "from here lib is in evaluation mode"
    with torch.no_grad():
        print(F.mse_loss(lib(x_val), y_val))


added = nn.Sequential(nn.Linear(2, 8))
added.add_module("drop", nn.Dropout(0.5))
opt = torch.optim.SGD(added.parameters(), lr=0.1)
for epoch in range(10):
    for x, y in loader:
        F.mse_loss(added(x), y).backward()
        opt.step()
        opt.zero_grad()
    added.eval()  # want TV503 "from here added is in evaluation mode"
    with torch.no_grad():
        print(F.mse_loss(added(x_val), y_val))


headed = Plain(8, 2)
headed.head = nn.Sequential(nn.Dropout(0.5), headed.head)
opt = torch.optim.SGD(headed.parameters(), lr=0.1)
for epoch in range(10):
    for x, y in loader:
        F.mse_loss(headed(x), y).backward()
        opt.step()
        opt.zero_grad()
    headed.eval()  # want TV503 "from here headed is in evaluation mode"
    with torch.no_grad():
        print(F.mse_loss(headed(x_val), y_val))


headless = Plain(8, 2)
headless.head = make_head()
opt = torch.optim.SGD(headless.parameters(), lr=0.1)
for epoch in range(10):
    for x, y in loader:
        F.mse_loss(headless(x), y).backward()
        opt.step()
        opt.zero_grad()
    headless.eval()  # want TV503 "from here headless is in evaluation mode"
    with torch.no_grad():
        print(F.mse_loss(headless(x_val), y_val))


def fit(model, epochs):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        F.mse_loss(model(x), y).backward()
        opt.step()
        opt.zero_grad()
        model.eval()  # ok: its one caller hands it a model without a mode
        print(F.mse_loss(model(x_val), y_val))


def fit_any(model, epochs):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        F.mse_loss(model(x), y).backward()
        opt.step()
        opt.zero_grad()
        model.eval()  # want TV503 "from here model is in evaluation mode"
        print(F.mse_loss(model(x_val), y_val))


fit(nn.Linear(2, 1), 10)
fit_any(nn.Linear(2, 1), 10)
fit_any(Dropped(2, 1), 10)


class Trainer:
    def __init__(self):
        self.model = Plain(8, 2)
        self.noisy = Dropped(8, 2)
        self.opt = torch.optim.SGD([*self.model.parameters(), *self.noisy.parameters()], lr=0.1)

    def fit(self):
        for epoch in range(10):
            F.mse_loss(self.noisy(self.model(x)), y).backward()
            self.opt.step()
            self.opt.zero_grad()
            self.model.eval()  # ok: it has no mode
            self.noisy.eval()  # want TV503 "from here self.noisy is in evaluation mode"
            print(F.mse_loss(self.noisy(self.model(x_val)), y_val))
