import torch


def warm_up(model, x, optimizer):
    model(x).backward()
    optimizer.zero_grad()  # ok: a step that is taken once, before the training, so that its kernels are there
    optimizer.step()


def train(model, loader, optimizer):
    warm_up(model, next(iter(loader)), optimizer)
    for x in loader:
        one(model, x, optimizer)


def one(model, x, optimizer):
    model(x).backward()
    optimizer.zero_grad()  # want TV402 "nothing to follow"
    optimizer.step()


def main(model, loader, optimizer):
    model(next(iter(loader))).backward()
    optimizer.zero_grad()  # ok: the same, before the loop
    optimizer.step()
    for x in loader:
        optimizer.zero_grad()
        model(x).backward()
        optimizer.step()


if __name__ == "__main__":
    main(torch.nn.Linear(1, 1), [], None)
