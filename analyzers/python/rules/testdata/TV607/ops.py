import torch
import torchvision
from torchvision.models.detection import maskrcnn_resnet50_fpn
from torchvision.ops import MultiScaleRoIAlign, RoIAlign, roi_align

device = "mps" if torch.backends.mps.is_available() else "cuda"
model = maskrcnn_resnet50_fpn(num_classes=3)  # want TV607 "built on roi_align"
pool = MultiScaleRoIAlign(["0"], 7, 2)  # want TV607 "torchvision.ops.MultiScaleRoIAlign on mps: the backward pass"
align = RoIAlign(7, 1.0, 2)  # want TV607 "gradients"
other = torchvision.models.detection.fasterrcnn_resnet50_fpn()  # want TV607 "on mps"
opt = torch.optim.Rprop(model.parameters())  # want TV607 "not contiguous"


def train(x, boxes):
    loss = roi_align(x, boxes, 7).sum()  # want TV607 "torchvision.ops.roi_align on mps"
    loss.backward()
    opt.step()


host = maskrcnn_resnet50_fpn().to("cpu")  # ok: it stays on the host
adam = torch.optim.Adam(model.parameters())  # ok: a good optimizer
net = torchvision.models.resnet50()  # ok: no regions
