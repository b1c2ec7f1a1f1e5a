import argparse

from torch.cuda.amp import GradScaler

parser = argparse.ArgumentParser()
parser.add_argument("--max-steps", type=int, default=500)
scaler = GradScaler()  # want TV307 "500 steps"


def train(loss, optimizer):
    scaler.scale(loss).backward()
