import torch


def pick():
    if torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


device = pick()


def feed(loader, model, accelerator, dtype):
    for x, y in loader:
        x = x.to(device, non_blocking=True)  # want TV604 "its device may be mps"
        y = y.to(device=device, non_blocking=True)  # want TV604 "its device may be mps"
        z = x.to(accelerator.device, non_blocking=True, dtype=dtype)  # want TV604 "its device may be mps"
        w = x.to("mps", non_blocking=True)  # want TV604 "its device may be mps"
        yield model(x), y, z, w


def back(g, e):
    print(g.to("cpu", non_blocking=True).numpy())  # want TV604 "the copy to the host is not waited for"
    host = g.to("cpu", non_blocking=True)  # want TV604 "the copy to the host is not waited for"
    return host.tolist()


def back_in_loop(parts):
    out = []
    for g in parts:
        h = g.to(torch.device("cpu"), non_blocking=True)  # want TV604 "is not waited for"
        out.append(h.item())
    return out


def healthy(g, x, stream, event, cuda_device, rank, blocking, offload_device):
    a = x.to(device, non_blocking=device.type == "cuda")  # ok: on CUDA alone
    b = x.to(device)  # ok: waited for
    c = x.cuda(non_blocking=True)  # ok: CUDA
    d = x.to("cuda:0", non_blocking=True)  # ok: CUDA
    e = x.to(cuda_device, non_blocking=True)  # ok: CUDA by its name
    f = x.to(rank, non_blocking=True)  # ok: a rank is a CUDA device
    if device.type != "mps":
        h = x.to(device, non_blocking=True)  # ok: not on mps
    i = x.to(device, non_blocking=blocking)  # ok: somebody chose
    j = x.to(device, non_blocking=False)  # ok: waited for
    host = g.to("cpu", non_blocking=True)  # ok: synchronized before it is read
    torch.cuda.synchronize()
    print(host.numpy())
    later = g.to("cpu", non_blocking=True)  # ok: the event is waited for
    event.synchronize()
    print(later.tolist())
    k = g.to("cpu", non_blocking=True)  # ok: not read here
    m = g.to("cpu").numpy()  # ok: waited for
    n = torch.device("cuda:1")
    o = x.to(n, non_blocking=True)  # ok: CUDA
    p = x.to(dtype=torch.float16, non_blocking=True)  # ok: no other device
    return a, b, c, d, e, f, h, i, j, k, m, o, p


def waited_with_another(g, h):
    a = g.to("cpu", non_blocking=True)  # ok: the next copy is waited for, and this one with it
    b = h.to("cpu")
    return a.tolist(), b.tolist()
