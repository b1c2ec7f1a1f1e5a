import torch
from torch import optim
from torch.cuda.amp import GradScaler


def per_epoch(model, loader, optimizer, epochs):
    for epoch in range(epochs):
        scaler = GradScaler()  # want TV310 "made anew"
        for x in loader:
            scaler.scale(model(x)).backward()
            scaler.step(optimizer)
            scaler.update()


def per_batch(model, loader, optimizer):
    for x in loader:
        scaler = torch.amp.GradScaler("cuda")  # want TV310 "made anew"
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)
        scaler.update()


def handed(model, loader, optimizer, epochs, train_one):
    for epoch in range(epochs):
        train_one(model, loader, optimizer, GradScaler())  # want TV310 "made anew"


def one_epoch(model, loader, optimizer):
    scaler = GradScaler()  # want TV310 "in each turn of a loop"
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)
        scaler.update()


def main(model, loader, optimizer):
    for epoch in range(10):
        one_epoch(model, loader, optimizer)


class Trainer:
    def train_epoch(self, loader):
        scaler = GradScaler()  # want TV310 "made anew"
        for x in loader:
            scaler.scale(self.model(x)).backward()
            scaler.step(self.optimizer)
            scaler.update()

    def fit(self, loader):
        for epoch in range(self.epochs):
            self.train_epoch(loader)


def steps(model, data, optimizer):
    for step in range(1000):
        scaler = GradScaler(init_scale=2.0**10)  # want TV310 "made anew"
        scaler.scale(model(data[step])).backward()
        scaler.step(optimizer)
