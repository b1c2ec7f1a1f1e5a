import torch


def style(model, loader, optimizer, weight):
    for x in loader:
        content, style = model(x)
        loss = weight * content + style
        optimizer.zero_grad()  # want TV402 "cleared right before the step"
        optimizer.step()
        print(loss.item())


class Trainer:
    def epoch(self):
        for x in self.loader:
            self.losses.append(self.forward_backward(x))
            self.optimizer.zero_grad(set_to_none=True)  # want TV402 "right before"
            self.optimizer.step()


def after_amp(model, loader, optimizer, scaler):
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()  # want TV402 "right before"
        optimizer.step()


def silence(model, loader, optimizer, scheduler):
    optimizer.zero_grad()  # ok: once, before the training, so that the scheduler says nothing
    optimizer.step()
    for x in loader:
        scheduler.step()
        optimizer.zero_grad()
        model(x).backward()
        optimizer.step()


def states(optimizers):
    for opt in optimizers:
        opt.zero_grad()  # ok: each once, so that its state is there
        opt.step()


def closure(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        optimizer.step(lambda: model(x).backward())  # ok: it computes them itself


def given(loader, optimizer, gradients, params):
    for x in loader:
        optimizer.zero_grad()  # ok: they are written behind it
        for p, g in zip(params, gradients(x)):
            p.grad = g
        optimizer.step()


def maybe(model, loader, optimizer, skip):
    for x in loader:
        model(x).backward()
        if skip(x):
            optimizer.zero_grad()  # ok: a batch that is left out on purpose
        optimizer.step()
