import argparse

from torch.cuda.amp import GradScaler

max_steps = 600_000
num_iters = 10
parser = argparse.ArgumentParser()
parser.add_argument("--max_steps", type=int, default=100000)
parser.add_argument("--warmup_steps", type=int, default=100)
scaler = GradScaler()  # ok: a long run


def train(loss, optimizer):
    scaler.scale(loss).backward()
