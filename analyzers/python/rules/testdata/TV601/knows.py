import torch


def pick():
    if torch.backends.mps.is_available():
        return "mps"
    return "cuda" if torch.cuda.is_available() else "cpu"  # ok: the file knows of mps


def train(loss):
    loss.backward()
