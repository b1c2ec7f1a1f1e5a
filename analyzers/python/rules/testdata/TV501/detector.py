import torch
import torchvision


def make():
    return torchvision.models.detection.fasterrcnn_resnet50_fpn()


def validate(model, val_loader):
    model.train()
    total = 0.0
    for images, targets in val_loader:
        total += float(sum(model(images, targets).values()))  # ok: there is no loss in evaluation mode
    model.eval()
    return total
