import argparse

import torch

device = "cuda" if torch.cuda.is_available() else "cpu"  # want TV601 "the device is CUDA or the CPU"
other = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")  # want TV601 "without a word"
third = torch.device("cuda") if torch.cuda.is_available() else torch.device("cpu")  # want TV601 "the device is CUDA or the CPU"


def by_if(rank):
    if torch.cuda.is_available():  # want TV601 "the device is CUDA or the CPU"
        device = torch.device(f"cuda:{rank}")
    else:
        device = torch.device("cpu")
    return device


def before(rank):
    device = torch.device("cpu")
    if torch.cuda.is_available():  # want TV601 "the device is CUDA or the CPU"
        device = torch.device("cuda", rank)
    return device


def flag(args):
    return "cuda" if torch.cuda.is_available() and not args.no_cuda else "cpu"  # want TV601 "the device is CUDA or the CPU"


class Trainer:
    def __init__(self):
        self.device = "cuda" if torch.cuda.is_available() else "cpu"  # want TV601 "the device is CUDA or the CPU"

    def step(self, loss):
        loss.backward()


def healthy(x, args):
    n = torch.cuda.device_count() if torch.cuda.is_available() else 1  # ok: no device is chosen
    backend = "gloo" if not torch.cuda.is_available() else "ucc"  # ok: how processes talk
    pinned = True if torch.cuda.is_available() else False  # ok: no device
    where = "cuda" if args.gpu else "cpu"  # ok: a person chose
    if torch.cuda.is_available():  # ok: nothing is chosen
        torch.cuda.empty_cache()
    if torch.cuda.is_available():  # ok: two things
        a = "cuda"
    else:
        b = "cpu"
    host = "cpu" if torch.cuda.is_available() else "cpu"  # ok: always the same
    if not torch.cuda.is_available():  # ok: it ends there
        raise RuntimeError("no GPU")
    dtype = torch.float16 if torch.cuda.is_available() else torch.float32  # ok: a precision
    label = "with GPU" if torch.cuda.is_available() else "without"  # ok: a text
    seed = torch.cuda.initial_seed() if torch.cuda.is_available() else 0  # ok: a number
    return n, backend, pinned, where, a, b, host, dtype, label, seed
