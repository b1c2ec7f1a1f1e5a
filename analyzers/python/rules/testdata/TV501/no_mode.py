import torch


def evaluate(model, loader):
    right = 0
    with torch.no_grad():
        for x, y in loader:
            right += (model(x).argmax(-1) == y).sum()  # want TV501 "judged without eval"
    return right


class Runner:
    def validate(self):
        return [self.model(x) for x in self.val_loader], self.loop()

    def loop(self):
        for x, y in self.val_loader:
            self.net(x)  # want TV501 "judged without eval"


def train(model, loader, opt):
    for x, y in loader:
        model(x).sum().backward()  # ok: it trains
        opt.step()


def count(val_loader):
    return sum(len(x) for x in val_loader)  # ok: no model
