"""Trains a small network and reads back what happened."""

from places import exact_maths, generator, place, wait
from worker import Skip

STEPS = 24
WIDTH = 64


def checks(request, user):
    import torch

    exact_maths(torch)
    device = place(torch, request["device"])

    def one(name, dtype=None, fused=False, batches=(32,)):
        return ("train-" + name, lambda: train(torch, device, dtype, fused, batches))

    return [
        one("float32"),
        one("fused", fused=True),
        one("batches", batches=(32, 20, 7)),
        one("bfloat16", dtype=torch.bfloat16),
        one("float16", dtype=torch.float16),
    ]


def network(torch):
    torch.manual_seed(1)
    nn = torch.nn
    return nn.Sequential(nn.Linear(16, WIDTH), nn.LayerNorm(WIDTH), nn.GELU(), nn.Linear(WIDTH, WIDTH), nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 4))


def optimizer(torch, model, fused):
    if not fused:
        return torch.optim.AdamW(model.parameters(), lr=5e-3)
    try:
        return torch.optim.AdamW(model.parameters(), lr=5e-3, fused=True)
    except (RuntimeError, TypeError, ValueError) as err:
        raise Skip("no fused AdamW here: %s" % str(err).splitlines()[0])


def autocast(torch, device, dtype):
    import contextlib

    if dtype is None:
        return contextlib.nullcontext()
    try:
        return torch.autocast(device.type, dtype=dtype)
    except (RuntimeError, TypeError, ValueError) as err:
        raise Skip("no autocast to %s here: %s" % (dtype, str(err).splitlines()[0]))


def train(torch, device, dtype, fused, batches):
    if dtype == torch.float16 and device.type not in ("cuda",):
        raise Skip("float16 training needs a gradient scaler, which is tried on CUDA only")
    model = network(torch).to(device)
    opt = optimizer(torch, model, fused)
    scaler = torch.cuda.amp.GradScaler() if dtype == torch.float16 else None
    before = [p.detach().cpu().clone() for p in model.parameters()]
    g = generator(torch, 2)
    x = torch.randn(96, 16, generator=g)
    y = (x[:, :4].argmax(dim=1)).long()
    x, y = x.to(device), y.to(device)
    losses = []
    for step in range(STEPS):
        n = batches[step % len(batches)]
        at = (step * 7) % (96 - n)
        opt.zero_grad(set_to_none=True)
        with autocast(torch, device, dtype):
            loss = torch.nn.functional.cross_entropy(model(x[at : at + n]).float(), y[at : at + n])
        if scaler is None:
            loss.backward()
            opt.step()
        else:
            scaler.scale(loss).backward()
            scaler.step(opt)
            scaler.update()
        wait(torch, device)
        losses.append(float(loss.detach().cpu()))
    return verdict(model, before, losses)


def verdict(model, before, losses):
    first, last = sum(losses[:3]) / 3, sum(losses[-3:]) / 3
    numbers = {"first": first, "last": last, "steps": len(losses)}
    if any(x - x != 0 for x in losses):
        return False, "a loss is not finite", numbers
    for (name, p), old in zip(model.named_parameters(), before):
        now = p.detach().cpu()
        if not bool(now.isfinite().all()):
            return False, "parameter %s is not finite" % name, numbers
        if bool((now == old).all()):
            return False, "parameter %s did not move" % name, numbers
        if p.grad is None or not bool(p.grad.detach().cpu().isfinite().all()):
            return False, "the gradient of %s is not there or not finite" % name, numbers
    if not last < 0.8 * first:
        return False, "the loss does not fall: %.4g, then %.4g" % (first, last), numbers
    return True, "loss %.3g to %.3g in %d steps" % (first, last, len(losses)), numbers
