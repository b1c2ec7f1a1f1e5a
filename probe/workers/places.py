"""Devices as the workers use them."""


def place(torch, name):
    return torch.device(name)


def wait(torch, device):
    """Waits until the device has done what it was given."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    elif device.type == "mps":
        torch.mps.synchronize()
    elif device.type == "xpu":
        torch.xpu.synchronize(device)


def exact_maths(torch):
    """Turns off what trades digits for speed: the probe compares digits."""
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False


def generator(torch, seed):
    g = torch.Generator()
    g.manual_seed(seed)
    return g
