import torch
from torch.amp import GradScaler

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
scaler = GradScaler()  # ok: on the CPU bfloat16 needs no scaling
