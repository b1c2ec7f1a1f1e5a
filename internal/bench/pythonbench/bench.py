"""What the guards cost a step: pairs of the same training loop with and without
trainvet, in turn, each in a process of its own, CPU time per step.

bench.py GUARDS PAIRS: GUARDS is the folder, or zip, that holds trainvet. One line
a shape: the medians, the median of the ratios of the pairs and their upper
quartile; steps under 5 ms in microseconds more."""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

# name: (width, depth, batch, steps, model.eval every n steps)
SHAPES = {
    "step of 10 ms": (512, 6, 256, 200, 100),
    "step of 1 ms": (128, 3, 64, 1500, 500),
    "smallest step": (16, 1, 8, 6000, 2000),
}
BARS = (1.02, 1.05)  # of steps of 5 ms and more: median, upper quartile


def child(name):
    import time

    import torch

    width, depth, batch, steps, every = SHAPES[name]
    torch.manual_seed(0)
    torch.set_num_threads(1)
    layers = [layer for _ in range(depth) for layer in (torch.nn.Linear(width, width), torch.nn.ReLU())]
    model = torch.nn.Sequential(*layers, torch.nn.Linear(width, 10))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    x, y = torch.randn(batch, width), torch.randint(0, 10, (batch,))

    def train(n):
        for step in range(n):
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(model(x), y)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            if step % every == every - 1:
                model.eval()
                with torch.no_grad():
                    for _ in range(4):
                        model(x)
                model.train()

    train(20)
    start = time.process_time()
    train(steps)
    print(json.dumps((time.process_time() - start) / steps))


def once(name, guards):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHONPATH", "TRAINVET"))}
    env["OMP_NUM_THREADS"] = "1"
    folder = tempfile.mkdtemp()
    try:
        if guards:
            os.mkdir(os.path.join(folder, "records"))
            env.update(PYTHONPATH=guards, TRAINVET_RUN=folder)
        out = subprocess.run([sys.executable, os.path.abspath(__file__), "--child", name], env=env, stdout=subprocess.PIPE, check=True)
        return float(out.stdout)
    finally:
        shutil.rmtree(folder)


def main(guards, pairs):
    failed = False
    for name in SHAPES:
        bare, with_guards = [], []
        for i in range(pairs):
            for guarded in ((False, True), (True, False))[i % 2]:
                (with_guards if guarded else bare).append(once(name, guards if guarded else ""))
        ratios = sorted(w / b for w, b in zip(with_guards, bare))
        median, quartile = statistics.median(ratios), ratios[(3 * len(ratios)) // 4]
        step = statistics.median(bare)
        more = statistics.median(w - b for w, b in zip(with_guards, bare))
        print("%-14s %8.3f ms  +%6.1f us  median %.3f  upper quartile %.3f" % (name, 1e3 * step, 1e6 * more, median, quartile), flush=True)
        failed = failed or (step >= 5e-3 and (median > BARS[0] or quartile > BARS[1]))
    return failed


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2])
    else:
        sys.exit(main(os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 10))
