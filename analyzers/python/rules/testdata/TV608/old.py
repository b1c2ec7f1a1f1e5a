import torch
from torch.cuda.amp import GradScaler, autocast

scaler = GradScaler()  # want TV608 "torch.cuda.amp.GradScaler is deprecated"
with autocast(dtype=torch.float16):  # want TV608 "torch.cuda.amp.autocast is deprecated"
    pass
with torch.cuda.amp.autocast(enabled=True):  # want TV608 "deprecated"
    pass
with torch.cpu.amp.autocast():  # want TV608 "torch.cpu.amp.autocast is deprecated"
    pass
try:
    scaler = torch.amp.GradScaler("cuda")  # ok: the new name
except AttributeError:
    scaler = torch.cuda.amp.GradScaler()  # ok: an old torch
with torch.autocast("cuda"):  # ok: the new name
    pass
