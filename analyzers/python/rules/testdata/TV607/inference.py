import torch
from torchvision.ops import roi_align

device = "mps" if torch.backends.mps.is_available() else "cpu"


def infer(x, boxes):
    return roi_align(x, boxes, 7)  # ok: forward is exact
