import torch


def train(model, train_loader, optimizer, trainer):
    for x in train_loader:
        trainer.zero_grad()
        model(x).backward()  # ok: a step under a name of its own
        optimizer.step_and_update_lr()


def other(model, batches, opt, trainer):
    for batch in batches:
        model(batch).backward()  # ok: the trainer optimizes
        trainer.optimize(opt)
