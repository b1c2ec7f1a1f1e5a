import torch
from torch.amp import GradScaler

device = torch.device("mps" if torch.backends.mps.is_available() else "cuda")

a = GradScaler()  # want TV609 "it switches itself off"
b = torch.amp.GradScaler(init_scale=1024.0)  # want TV609 "it switches itself off"
d = torch.cuda.amp.GradScaler(enabled=True)  # want TV609 "it switches itself off"
e = GradScaler(device.type)  # ok: the device says it
f = GradScaler(device="mps")  # ok: said
g = GradScaler(enabled=device.type == "cuda")  # ok: on with CUDA alone
h = GradScaler(enabled=False)  # ok: off
i = GradScaler() if device.type == "cuda" else None  # ok: on CUDA alone
if device.type == "cuda":
    j = GradScaler()  # ok: on CUDA alone
