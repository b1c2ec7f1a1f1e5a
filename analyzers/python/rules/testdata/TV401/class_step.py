import torch


class Never:
    def __init__(self, model, loss_fn):
        self.model, self.loss_fn = model, loss_fn
        self.optimizer = torch.optim.Adam(model.parameters())

    def train_step(self, x, y):
        loss = self.loss_fn(self.model(x), y)
        loss.backward()
        self.optimizer.step()  # want TV401 "cleared nowhere"
        return loss.item()

    def fit(self, loader):
        for x, y in loader:
            self.train_step(x, y)


def one(model, optimizer, x):
    model(x).backward()
    optimizer.step()  # want TV401 "cleared nowhere"


def fit(model, optimizer, loader):
    for x in loader:
        one(model, optimizer, x)


def once(model, optimizer, x):
    model(x).backward()
    optimizer.step()  # ok: taken once


def probe(model, optimizer, x):
    once(model, optimizer, x)


def fresh(model, x):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model(x).backward()
    optimizer.step()  # ok: made anew, as its gradients may be


def each(models, x):
    for model in models:
        fresh(model, x)
