import torch
from torch.optim.lr_scheduler import CosineAnnealingLR
from transformers import get_linear_schedule_with_warmup


def linear(model, train_loader, optimizer, epochs, accumulation_steps):
    total = len(train_loader) * epochs
    scheduler = get_linear_schedule_with_warmup(optimizer, num_warmup_steps=10, num_training_steps=total)  # want TV415 "planned for every batch"
    for i, x in enumerate(train_loader):
        (model(x) / accumulation_steps).backward()
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()


def cosine(model, loader, optimizer, args):
    scheduler = CosineAnnealingLR(optimizer, T_max=len(loader) * args.epochs)  # want TV415 "still high"
    for i, x in enumerate(loader):
        model(x).backward()
        if i % args.grad_accum == 0:
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()


class Trainer:
    def __init__(self, loader, optimizer, epochs):
        n = len(loader) * epochs
        self.scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1, total_steps=n)  # want TV415 "self.accum"

    def train(self, loader):
        for i, x in enumerate(loader):
            self.model(x).backward()
            if (i + 1) % self.accum == 0:
                self.optimizer.step()
                self.scheduler.step()
                self.optimizer.zero_grad()


def named(model, loader, optimizer, accum, epochs):
    steps_per_epoch = len(loader)
    steps = steps_per_epoch * epochs
    lr_scheduler = get_linear_schedule_with_warmup(optimizer, 0, num_training_steps=steps)  # want TV415 "accum"
    for i, x in enumerate(loader):
        model(x).backward()
        ready = (i + 1) % accum == 0
        if ready:
            optimizer.step()
            lr_scheduler.step()


def once(model, loader, optimizer, accum):
    sched = CosineAnnealingLR(optimizer, T_max=len(loader))  # want TV415 "once in accum"
    for i, x in enumerate(loader):
        model(x).backward()
        if i % accum == accum - 1:
            optimizer.step()
            sched.step()


def whole(model, train_dataloader, optimizer, accum_steps):
    schedule = get_linear_schedule_with_warmup(optimizer, num_warmup_steps=0, num_training_steps=int(3 * len(train_dataloader)))  # want TV415 "accum_steps"
    for i, x in enumerate(train_dataloader):
        model(x).backward()
        if (i + 1) % accum_steps == 0:
            optimizer.step()
            schedule.step()


def healthy(model, loader, optimizer, epochs, accum):
    total = len(loader) // accum * epochs
    scheduler = get_linear_schedule_with_warmup(optimizer, 0, num_training_steps=total)  # ok: divided
    for i, x in enumerate(loader):
        model(x).backward()
        if (i + 1) % accum == 0:
            optimizer.step()
            scheduler.step()


def every_batch(model, loader, optimizer, epochs, accum):
    scheduler = get_linear_schedule_with_warmup(optimizer, 0, num_training_steps=len(loader) * epochs)  # ok: stepped with each batch
    for i, x in enumerate(loader):
        model(x).backward()
        if (i + 1) % accum == 0:
            optimizer.step()
        scheduler.step()


def per_epoch(model, loader, optimizer, epochs, accum):
    scheduler = CosineAnnealingLR(optimizer, T_max=epochs)  # ok: counted in epochs
    for _ in range(epochs):
        for i, x in enumerate(loader):
            model(x).backward()
            if i % accum == 0:
                optimizer.step()
        scheduler.step()


def given(model, loader, optimizer, total, accum):
    scheduler = get_linear_schedule_with_warmup(optimizer, 0, num_training_steps=total)  # ok: the caller counts
    for i, x in enumerate(loader):
        if i % accum == 0:
            scheduler.step()


def by_helper(model, loader, optimizer, epochs, accum, count):
    scheduler = CosineAnnealingLR(optimizer, T_max=count(loader, epochs, accum))  # ok: the helper counts
    for i, x in enumerate(loader):
        if i % accum == 0:
            scheduler.step()


def true_division(model, loader, optimizer, epochs, accum):
    steps = int(len(loader) / accum) * epochs
    scheduler = CosineAnnealingLR(optimizer, T_max=steps)  # ok: divided
    for i, x in enumerate(loader):
        if i % accum == 0:
            scheduler.step()


def two_hops(model, loader, optimizer, epochs, accum):
    updates = len(loader) // accum
    steps = updates * epochs
    scheduler = CosineAnnealingLR(optimizer, T_max=steps)  # ok: divided two names before
    for i, x in enumerate(loader):
        if i % accum == 0:
            scheduler.step()


def log(model, loader, optimizer, accum):
    scheduler = CosineAnnealingLR(optimizer, T_max=len(loader))  # ok: the test is about a log
    for i, x in enumerate(loader):
        model(x, accum).backward()
        optimizer.step()
        scheduler.step()
        if i % 100 == 0:
            print(i)


def alternating(model, loader, optimizer):
    scheduler = CosineAnnealingLR(optimizer, T_max=len(loader))  # ok: nothing says that it accumulates
    for i, x in enumerate(loader):
        if i % 2 == 0:
            scheduler.step()


def literal(model, loader, optimizer, accum):
    scheduler = CosineAnnealingLR(optimizer, T_max=1000)  # ok: a number
    for i, x in enumerate(loader):
        if i % accum == 0:
            scheduler.step()
