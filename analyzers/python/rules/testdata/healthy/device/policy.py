"""One place chooses device and precision, says so, and everything else asks it."""

import torch


def pick(intent):
    if intent == "cpu":
        return torch.device("cpu")
    found = torch.accelerator.current_accelerator(check_available=True)
    if found is None:
        raise RuntimeError("an accelerator was asked for, and there is none")
    return found


def precision(device):
    if device.type == "cuda" and torch.cuda.is_bf16_supported(including_emulation=False):
        return torch.bfloat16
    return torch.float16 if device.type in ("cuda", "mps") else torch.float32


def train(model, loader, optimizer, intent):
    device = pick(intent)
    dtype = precision(device)
    print(f"device {device}, {dtype}")
    scaler = torch.amp.GradScaler(device.type, enabled=dtype is torch.float16)
    model.to(device)
    model.train()
    skipped = 0
    for x, y in loader:
        x = x.to(device, non_blocking=device.type == "cuda")
        y = y.to(device, non_blocking=device.type == "cuda")
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(device.type, dtype=dtype, enabled=dtype is not torch.float32):
            loss = torch.nn.functional.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        before = scaler.get_scale()
        scaler.step(optimizer)
        scaler.update()
        skipped += scaler.get_scale() < before
    return skipped
