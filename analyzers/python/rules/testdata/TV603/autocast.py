import torch
from torch.amp import autocast

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train(model, x, use_amp, enabled):
    with torch.autocast("cuda"):  # want TV603 "autocast is for CUDA whatever device"
        a = model(x)
    with torch.autocast(device_type="cuda", dtype=torch.float16):  # want TV603 "elsewhere it does nothing"
        b = model(x)
    with autocast("cuda", enabled=use_amp):  # want TV603 "autocast is for CUDA"
        c = model(x)
    with torch.cuda.amp.autocast():  # want TV603 "autocast is for CUDA"
        d = model(x)
    with torch.cuda.amp.autocast(enabled=use_amp):  # want TV603 "autocast is for CUDA"
        e = model(x)
    with torch.no_grad(), torch.amp.autocast("cuda", dtype=torch.bfloat16):  # want TV603 "autocast is for CUDA"
        f = model(x)
    return a, b, c, d, e, f


def healthy(model, x, use_amp, amp_type):
    with torch.autocast(device.type):  # ok: the device says it
        a = model(x)
    with torch.autocast("cuda", enabled=False):  # ok: an island of full precision
        b = model(x)
    with torch.cuda.amp.autocast(False):  # ok: the same
        c = model(x)
    with torch.autocast("cuda", enabled=device.type == "cuda"):  # ok: on with CUDA alone
        d = model(x)
    if device.type == "cuda":
        with torch.autocast("cuda"):  # ok: on CUDA alone
            e = model(x)
    else:
        e = model(x)
    on_cuda = device.type == "cuda"
    with torch.autocast("cuda", enabled=on_cuda):  # ok: on with CUDA alone
        f = model(x)
    ctx = torch.autocast("cuda") if torch.cuda.is_available() else torch.no_grad()  # ok: on CUDA alone
    with torch.autocast("cpu"):  # ok: another device
        g = model(x)
    with torch.autocast(amp_type):  # ok: it is computed
        h = model(x)
    with torch.autocast(device_type=device.type, dtype=torch.float16):  # ok: the device says it
        i = model(x)
    with torch.autocast("cuda" if torch.cuda.is_available() else "cpu"):  # ok: chosen
        j = model(x)
    return a, b, c, d, e, f, ctx, g, h, i, j


@torch.autocast("cuda")  # ok: a kernel
def kernel(x):
    return x


def needs_cuda(model, x):
    torch.cuda.synchronize()
    with torch.autocast("cuda"):  # ok: without CUDA the line above fails
        return model(x.cuda())


def islands(model, x):
    with torch.cuda.amp.autocast(dtype=torch.float32):  # ok: full precision, as it is elsewhere
        a = model(x)
    with torch.cuda.amp.autocast(dtype=torch.float16):  # want TV603 "autocast is for CUDA"
        b = model(x)
    return a, b
