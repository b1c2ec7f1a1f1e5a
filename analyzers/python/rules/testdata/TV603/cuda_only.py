import torch

device = torch.device("cuda")


def train(model, x):
    with torch.autocast("cuda"):  # ok: the device is CUDA, or the run fails
        return model(x.to(device))
