import torch
from torchvision.ops import roi_align


def train(x, boxes):
    roi_align(x, boxes, 7).sum().backward()  # ok: nothing here takes mps
