import torch


def main(model, path):
    torch.save(model.state_dict(), path)  # ok: one process
