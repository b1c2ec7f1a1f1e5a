import torch


# What comes back to training mode asks for the setting that was asked for before
# it was called.
class Runner:
    def __init__(self, model, config):
        self.model, self.config = model, config

    def begin(self):
        self.model.eval()

    def end(self):
        if self.config.strategy == "batch" and not self.done:
            self.model.train()

    def validate(self, loader):
        self.begin()
        for x in loader:
            print(self.model(x))
        self.end()

    def train(self, loader, held_out, opt):
        self.model.train()
        for i, x in enumerate(loader):
            opt.zero_grad()
            self.model(x).mean().backward()
            opt.step()
            if held_out and self.config.strategy == "batch":
                if i % 100 == 0:
                    self.validate(held_out)  # ok: under this setting it switches back


class Other:
    def __init__(self, model, config):
        self.model, self.config = model, config

    def validate(self, loader):
        self.model.eval()
        for x in loader:
            print(self.model(x))
        if self.config.strategy == "batch":
            self.model.train()

    def train(self, loader, held_out, opt):
        self.model.train()
        for i, x in enumerate(loader):
            opt.zero_grad()
            self.model(x).mean().backward()
            opt.step()
            if self.config.strategy == "step":
                self.validate(held_out)  # want TV503 "from here self.model is in evaluation mode"
