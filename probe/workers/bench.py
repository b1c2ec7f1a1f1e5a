"""One run of a small model under one setting, timed by its parts.

The control is the same model in float32, without autocast or compile, on the
same device: it cannot respond to the setting, and its loss must repeat to the
bit. It runs before and after.
"""

import contextlib
import os
import tempfile
import time

from places import generator, place, wait
from worker import Skip

SIZES = {  # width, batch, steps, control steps
    "cpu": (64, 32, 12, 8),
    "cuda": (1024, 256, 120, 30),
    "mps": (512, 128, 60, 20),
    "xpu": (1024, 256, 120, 30),
}
SAMPLED = 4  # every so many steps are synchronised and parted
WARM = 4
LENGTH = 8


def checks(request, user):
    return [("bench", lambda: run(request, user))]


def model(torch, kind, width):
    nn = torch.nn
    torch.manual_seed(7)
    if kind == "conv":
        return nn.Sequential(
            nn.Conv2d(3, width // 8, 3, padding=1), nn.GELU(), nn.Conv2d(width // 8, width // 8, 3, stride=2), nn.GELU(), nn.Flatten(), nn.LazyLinear(10)
        )
    if kind == "transformer":
        layer = nn.TransformerEncoderLayer(width, 4, width * 2, dropout=0.0, batch_first=True)
        return nn.Sequential(nn.TransformerEncoder(layer, 2, enable_nested_tensor=False), nn.Flatten(), nn.Linear(width * LENGTH, 10))
    return nn.Sequential(nn.Linear(width, width * 2), nn.LayerNorm(width * 2), nn.GELU(), nn.Linear(width * 2, width), nn.GELU(), nn.Linear(width, 10))


def shape(kind, width, batch):
    return {"conv": (batch, 3, 32, 32), "transformer": (batch, LENGTH, width)}.get(kind, (batch, width))


def batches(torch, kind, width, batch):
    """Batches that lie ready in memory."""
    g = generator(torch, 8)
    ready = [(torch.randn(*shape(kind, width, batch), generator=g), torch.randint(0, 10, (batch,), generator=g)) for _ in range(4)]
    while True:
        yield from ready


class Clock:
    """Parts the time of sampled steps."""

    def __init__(self, torch, device):
        self.torch, self.device, self.parts, self.total, self.on = torch, device, {}, 0.0, False

    def start(self, on):
        self.on = on
        if on:
            wait(self.torch, self.device)
            self.begin = self.last = time.perf_counter()

    def part(self, name):
        if self.on:
            wait(self.torch, self.device)
            now = time.perf_counter()
            self.parts[name] = self.parts.get(name, 0.0) + now - self.last
            self.last = now

    def stop(self):
        if self.on:
            wait(self.torch, self.device)
            self.total += time.perf_counter() - self.begin

    def split(self):
        return {k: v / self.total for k, v in self.parts.items()} if self.total else {}


def run(request, user):
    import torch

    setting = request.get("options", {})
    device = place(torch, request["device"])
    kind = setting.get("model", "mlp")
    width, batch, steps, control_steps = SIZES.get(device.type, SIZES["cpu"])
    first = control(torch, device, width, batch, control_steps)
    start = time.perf_counter()
    dtype = setting.get("dtype", "float32")
    net = model(torch, kind, width).to(device)
    source = user.loader(torch, shape(kind, width, batch)) if user is not None and hasattr(user, "loader") else batches(torch, kind, width, batch)
    x, y = next(iter(source))
    with torch.no_grad():
        net(x.to(device))
    step_net = compiled(torch, net, setting.get("compile", "off"))
    opt = torch.optim.AdamW(net.parameters(), lr=1e-4)
    context = autocast(torch, device, dtype)
    scaler = torch.cuda.amp.GradScaler() if dtype == "float16" and device.type == "cuda" else None
    clock = Clock(torch, device)
    begun = None
    feed = iter(source)
    for step in range(WARM + steps):
        if step == WARM:
            wait(torch, device)
            begun = time.perf_counter()
        clock.start(step >= WARM and step % SAMPLED == 0)
        x, y = next(feed)
        clock.part("data_wait")
        x, y = x.to(device, non_blocking=device.type == "cuda"), y.to(device, non_blocking=device.type == "cuda")
        clock.part("to_device")
        loss = forward_backward(torch, step_net, context, scaler, x, y)
        clock.part("compute")
        if scaler is None:
            opt.step()
        else:
            scaler.step(opt)
            scaler.update()
        opt.zero_grad(set_to_none=True)
        clock.part("optimizer")
        clock.stop()
    wait(torch, device)
    trained = time.perf_counter()
    score = evaluate(torch, net, device, context, feed)
    evaluated = time.perf_counter()
    save(torch, net)
    saved = time.perf_counter()
    second = control(torch, device, width, batch, control_steps)
    if first[1] != second[1]:
        return False, "the control's loss did not repeat to the bit: %s, then %s" % (first[1], second[1]), {}
    numbers = {
        "step": (trained - begun) / steps,
        "examples": batch * steps / (trained - begun),
        "split": clock.split(),
        "phases": {"start": begun - start, "training": trained - begun, "evaluation": evaluated - trained, "saving": saved - evaluated},
        "whole": saved - start,
        "control": first[0] + second[0],
        "same": first[1],
        "loss": float(loss),
        "score": score,
    }
    if numbers["loss"] - numbers["loss"] != 0:
        return False, "the loss is not finite", numbers
    return True, "%.4g examples a second" % numbers["examples"], numbers


def forward_backward(torch, net, context, scaler, x, y):
    with context():
        loss = torch.nn.functional.cross_entropy(net(x).float(), y)
    if scaler is None:
        loss.backward()
    else:
        scaler.scale(loss).backward()
    return loss.detach()


def compiled(torch, net, how):
    if how == "off":
        return net
    try:
        return torch.compile(net)
    except (RuntimeError, AttributeError) as err:
        raise Skip("torch.compile does not work here: %s" % str(err).splitlines()[0])


def autocast(torch, device, dtype):
    if dtype == "float32":
        return contextlib.nullcontext
    return lambda: torch.autocast(device.type, dtype=getattr(torch, dtype))


def control(torch, device, width, batch, steps):
    """Seconds of a fixed piece of training in float32, and its last loss to the bit."""
    net = model(torch, "mlp", width).to(device)
    x = torch.randn(batch, width, generator=generator(torch, 9)).to(device)
    y = torch.randint(0, 10, (batch,), generator=generator(torch, 10)).to(device)
    opt = torch.optim.SGD(net.parameters(), lr=1e-3)
    loss = begin = None
    for step in range(steps + 2):
        if step == 2:
            wait(torch, device)
            begin = time.perf_counter()
        opt.zero_grad(set_to_none=True)
        loss = torch.nn.functional.cross_entropy(net(x), y)
        loss.backward()
        opt.step()
    wait(torch, device)
    return time.perf_counter() - begin, float(loss.detach().cpu()).hex()


def evaluate(torch, net, device, context, feed):
    right = total = 0
    with torch.no_grad(), context():
        for _ in range(4):
            x, y = next(feed)
            right += int((net(x.to(device)).argmax(dim=1).cpu() == y).sum())
            total += len(y)
    return right / total


def save(torch, net):
    with tempfile.TemporaryDirectory() as folder:
        torch.save(net.state_dict(), os.path.join(folder, "model.pt"))
