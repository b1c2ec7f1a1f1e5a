import torch
from torch.autograd import Variable


def direct(model, x):
    torch.tensor(model(x).item(), requires_grad=True).backward()  # want TV413 "without a graph"


def named(model, loader, optimizer):
    for x in loader:
        loss = model(x).mean()
        loss = torch.tensor(loss.item(), requires_grad=True)  # want TV413 "no parameter gets a gradient"
        loss.backward()
        optimizer.step()


def summed(parts, optimizer):
    losses = [p.item() for p in parts]
    total = torch.tensor(sum(losses), requires_grad=True)  # want TV413 "backward ends here"
    total.backward()
    optimizer.step()


def variable(model, x, optimizer):
    loss = model(x)
    loss = Variable(loss.data, requires_grad=True)  # want TV413 "requires_grad hides it"
    loss.backward()
    optimizer.step()


def detached(model, x, optimizer):
    loss = model(x)
    loss = loss.detach().requires_grad_()  # want TV413 "new tensor"
    loss.backward()
    optimizer.step()


def scaled(model, x, optimizer, scaler):
    loss = torch.tensor(float(model(x)), requires_grad=True)  # want TV413 "without a graph"
    scaler.scale(loss).backward()
    scaler.step(optimizer)


def in_place(model, x):
    loss = model(x)
    loss.detach().requires_grad_(True).backward()  # want TV413 "without a graph"


def healthy(model, loader, optimizer, log):
    for x in loader:
        loss = model(x).mean()
        loss.backward()  # ok: the loss itself
        optimizer.step()
        log(loss.item())


def auxiliary(model, x):
    loss, extra = model(x)
    total = loss + extra.detach()
    total.backward()  # ok: a part is left out by design


def leaf():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * x).sum().backward()  # ok: made of a leaf, no loss is wrapped
    return x.grad


def constant():
    x = torch.tensor(1.0, requires_grad=True)
    x.backward()  # ok: nothing was lost
    return x.grad


def attack(model, image):
    image = image.detach().requires_grad_()
    model(image).backward()  # ok: the gradient of an input
    return image.grad


def logged(model, x):
    loss = model(x)
    shown = torch.tensor(loss.item())
    loss.backward()  # ok: the copy is not trained on
    return shown


def not_needed(model, x):
    loss = model(x)
    loss.requires_grad_(True)  # want TV413 "does nothing"
    loss.backward()


def forced(model, x, optimizer):
    loss = model(x)
    loss.requires_grad = True  # want TV413 "has none here"
    loss.backward()
    optimizer.step()


def inputs(model, x):
    x.requires_grad = True
    loss = model(x)
    loss.backward()  # ok: the gradient of an input


def again(model, x):
    loss = torch.tensor(model.start(x), requires_grad=True)
    loss = model(x).mean()
    loss.backward()  # ok: another loss by then


def frozen(model, x):
    loss = model(x).detach().requires_grad_(False)
    return loss  # ok: no backward


def other(model, x, weights):
    w = Variable(weights, requires_grad=True)
    model(x, w).backward()  # ok: weights, no loss
    return w.grad


def noise(model, x):
    z = torch.tensor(x.tolist(), requires_grad=True)
    loss = model(z)
    loss.backward()  # ok: an input


def wrapped_once_more(model, loader, optimizer, quantized):
    for x in loader:
        loss = sum(v.mean() for v in model(x).values())
        if quantized:
            loss = torch.autograd.Variable(loss, requires_grad=True)  # want TV413 "without a graph"
        loss.backward()
        optimizer.step()


def policy(optimizer, log_prob, advantages):
    loss = -(log_prob * advantages).mean()
    loss = Variable(loss, requires_grad=True)  # want TV413 "no parameter gets a gradient"
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


class Agent:
    def update(self, batch):
        actor_loss = self.actor_loss(batch)
        self.optimizer.zero_grad()
        actor_loss.requires_grad = True  # want TV413 "raises"
        actor_loss.backward()
        self.optimizer.step()


def from_a_dict(step, loader, optimizer):
    for batch in loader:
        loss = step(batch)["loss"]
        loss.requires_grad = True  # want TV413 "raises"
        loss.backward()
        optimizer.step()


def plain_variable(model, x):
    loss = Variable(model(x))
    loss.backward()  # ok: torch says here that nothing requires a gradient


def grows(model, loader, optimizer):
    loss = Variable(torch.zeros(1), requires_grad=True)
    for x in loader:
        loss = loss + model(x)
    loss.backward()  # ok: the start of a sum
    optimizer.step()


def of_input(model, image):
    image = Variable(image, requires_grad=True)
    loss = model(image)
    loss.backward()  # ok: the gradient of an input
    return image.grad


def cut_and_asked(model, batch, opt):
    out = model(batch["x"])
    loss = torch.nn.functional.cross_entropy(out, batch["y"]).detach().requires_grad_(True)  # want TV413 "a new tensor without a graph"
    loss.backward()
    opt.step()


def attacked(model, x, y):
    x = x.detach().requires_grad_(True)  # ok: the gradient of the input is what is wanted
    total = torch.nn.functional.cross_entropy(model(x), y)
    total.backward()
    return x.grad.sign()
