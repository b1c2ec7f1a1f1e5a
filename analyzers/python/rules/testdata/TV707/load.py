import pickle

import joblib
import torch
from torch import load


def plain(path):
    return torch.load(path)  # want "torch.load without weights_only"


def mapped(path):
    return load(path, map_location="cpu")  # want "without weights_only"


def comma(path):
    return torch.load(  # want "without weights_only"
        path,
        map_location="cpu",
    )


def said(path, kw):
    torch.load(path, weights_only=True)  # ok: said
    torch.load(path, weights_only=False)  # ok: said, and so looked at
    torch.load(path, "cpu", pickle)  # ok: with a pickle of its own
    torch.load(path, **kw)  # ok: it may be among them
    joblib.load(path)  # ok: not of torch


def commented(path):
    return torch.load(  # want "without weights_only"
        path,  # where it lies
    )
