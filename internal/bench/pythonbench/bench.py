"""What the guards cost a training: the same loop with and without trainvet, CPU time
of the whole process.

bench.py GUARDS PAIRS [SHAPE ...]: GUARDS is the folder, or zip, that holds trainvet.
The two processes of a pair run at the same time and take turns, a block of steps
each: what the machine does to one second, it does to both. Nothing is left out of
what the steps took, so that what the guards do now and then counts as well. One
line a shape says three things apart:

    step       a steady one, behind the first 500, and what the guards add to it
    beginning  what the guards add to steps 2 to 50, all together: the first imports
               for a second, which no two processes do alike
    ratio      of steps of 5 ms and more, of the pairs: median and upper quartile

and the last line how loaded the machine was. It fails where steps of 5 ms and more
are over their bars."""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

BEGINNING, STEADY, BLOCKS = 50, 500, 50

# name: (loop, width, depth, batch, steps); the batch of those that FIT names grows
# until a step takes so long here
SHAPES = {
    "10 ms": ("plain", 384, 6, 32, 800),
    "5 ms": ("plain", 256, 6, 32, 1000),
    "5 ms, more samples": ("plain", 128, 6, 320, 1000),
    "1 ms": ("plain", 128, 3, 64, 1500),
    "smallest": ("plain", 16, 1, 8, 2500),
    "loader": ("loader", 128, 3, 64, 1500),
    "Trainer": ("trainer", 32, 2, 4, 800),
}
BARS = (1.02, 1.05)  # of steps of 5 ms and more: median, upper quartile
LONG = 5e-3
FIT = {"10 ms": 10e-3, "5 ms": LONG, "5 ms, more samples": LONG}
ROOM, FITTED = 1.1, 300  # beyond it; steps that are made to see
# What glibc gives back to the system comes again as page faults: none to 80 a step, 4 %
# of it, by where the end of the heap happens to lie, with guards or without.
HEAP = {"MALLOC_TRIM_THRESHOLD_": str(1 << 30), "MALLOC_MMAP_THRESHOLD_": str(1 << 25)}


class Ticks:
    """The CPU time between steps; between blocks the process waits for its turn."""

    def __init__(self, block):
        self.block, self.steps, self.took = block, 0, []
        self.turn()

    def turn(self):
        sys.stdout.write("%d\n" % self.steps)
        sys.stdout.flush()
        sys.stdin.readline()
        self.last = time.process_time_ns()

    def __call__(self):
        self.took.append(time.process_time_ns() - self.last)
        self.steps += 1
        if self.steps % self.block == 0:
            self.turn()
        else:
            self.last = time.process_time_ns()


def child(name, batch):
    import torch

    loop, width, depth, _, steps = SHAPES[name]
    torch.manual_seed(0)
    torch.set_num_threads(1)
    ticks = Ticks(steps // BLOCKS)
    (trainer if loop == "trainer" else plain)(torch, width, depth, batch, steps, loop, ticks)
    print(json.dumps({"step": statistics.fmean(ticks.took[STEADY:]) / 1e9, "beginning": sum(ticks.took[1:BEGINNING]) / 1e9}), flush=True)


def plain(torch, width, depth, batch, steps, loop, ticks):
    """A classifier with a loss scaler."""
    layers = [layer for _ in range(depth) for layer in (torch.nn.Linear(width, width), torch.nn.ReLU())]
    model = torch.nn.Sequential(*layers, torch.nn.Linear(width, 10))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    for x, y in batches(torch, width, batch, steps, loop == "loader"):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        ticks()


def batches(torch, width, batch, steps, loader):
    if not loader:
        x, y = torch.randn(batch, width), torch.randint(0, 10, (batch,))
        for _ in range(steps):
            yield x, y
        return
    n = steps // 10
    data = torch.utils.data.TensorDataset(torch.randn(n * batch, width), torch.randint(0, 10, (n * batch,)))
    for _ in range(10):
        yield from torch.utils.data.DataLoader(data, batch_size=batch, shuffle=True)


def trainer(torch, width, depth, batch, steps, loop, ticks):
    """A small GPT-2 in the Trainer of transformers."""
    from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainerCallback, TrainingArguments

    class Ends(TrainerCallback):
        def on_step_end(self, *args, **kwargs):
            ticks()

    model = GPT2LMHeadModel(GPT2Config(vocab_size=128, n_positions=32, n_embd=width, n_layer=depth, n_head=2))
    rows = [{"input_ids": ids, "labels": ids} for ids in torch.randint(0, 128, (steps * batch, 16))]
    with tempfile.TemporaryDirectory() as folder:
        args = TrainingArguments(output_dir=folder, max_steps=steps, per_device_train_batch_size=batch, report_to=[], save_strategy="no", logging_strategy="no", use_cpu=True, disable_tqdm=True)
        Trainer(model=model, args=args, train_dataset=rows, callbacks=[Ends()]).train()


def fitted(name):
    """The batch of a shape on this machine."""
    loop, width, depth, batch, _ = SHAPES[name]
    while name in FIT and alone(width, depth, batch) < ROOM * FIT[name]:
        batch += -(-batch // 8)
    return batch


def alone(width, depth, batch):
    """What the steps take behind which the others follow, of a process of its own."""
    code = "import bench, statistics, torch; took = []; torch.set_num_threads(1); bench.plain(torch, %d, %d, %d, %d, 'plain', bench.Stamps(took)); print(statistics.median(took[100:]))" % (width, depth, batch, FITTED)
    out = subprocess.run([sys.executable, "-c", code], env=dict(environment(), PYTHONPATH=os.path.dirname(os.path.abspath(__file__))), stdout=subprocess.PIPE, check=True, text=True)
    return float(out.stdout)


class Stamps:
    """The CPU time between steps."""

    def __init__(self, took):
        self.took, self.last = took, time.process_time()

    def __call__(self):
        now = time.process_time()
        self.took.append(now - self.last)
        self.last = now


def environment():
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHONPATH", "TRAINVET"))}
    env.update(HEAP, OMP_NUM_THREADS="1", CUDA_VISIBLE_DEVICES="")
    return env


def start(name, batch, guards):
    env = environment()
    folder = tempfile.mkdtemp()
    if guards:
        os.mkdir(os.path.join(folder, "records"))
        env.update(PYTHONPATH=guards, TRAINVET_RUN=folder)
    process = subprocess.Popen([sys.executable, os.path.abspath(__file__), "--child", name, str(batch)], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    return process, folder


def answer(process):
    """The next line that the bench itself wrote: a number of steps, or what was measured."""
    for line in process.stdout:
        if line.strip().isdigit() or line.startswith('{"step"'):
            return json.loads(line)
    raise SystemExit("a training ended before it was measured: exit status %s" % process.wait())


def pair(name, batch, guards, first):
    """What was measured without guards and with them; first says which begins."""
    started = [start(name, batch, ""), start(name, batch, guards)]
    try:
        found = [answer(process) for process, _ in started]
        while isinstance(found[0], int):
            for i in (first, 1 - first):
                started[i][0].stdin.write("\n")
                started[i][0].stdin.flush()
                found[i] = answer(started[i][0])
        return found
    finally:
        for process, folder in started:
            process.kill()
            process.communicate()
            shutil.rmtree(folder)


def has(module):
    return subprocess.run([sys.executable, "-c", "import importlib.util, sys; sys.exit(importlib.util.find_spec(%r) is None)" % module]).returncode == 0


def main(guards, pairs, names):
    failed = False
    for name in names:
        if SHAPES[name][0] == "trainer" and not has("transformers"):
            print("%-18s not run: no transformers" % name)
            continue
        batch = fitted(name)
        found = [pair(name, batch, guards, i % 2) for i in range(pairs)]
        step = statistics.median(bare["step"] for bare, _ in found)
        more = statistics.median(guarded["step"] - bare["step"] for bare, guarded in found)
        beginning = statistics.median(guarded["beginning"] - bare["beginning"] for bare, guarded in found)
        line = "%-18s batch %4d  step %8.3f ms  %+7.1f us  beginning %+7.1f ms" % (name, batch, 1e3 * step, 1e6 * more, 1e3 * beginning)
        if step >= LONG:
            ratios = sorted(guarded["step"] / bare["step"] for bare, guarded in found)
            median, quartile = statistics.median(ratios), ratios[(3 * len(ratios)) // 4]
            line += "  ratio %.3f  upper quartile %.3f" % (median, quartile)
            failed = failed or median > BARS[0] or quartile > BARS[1]
        print(line, flush=True)
    print("load %.1f on %d cores" % (os.getloadavg()[0], os.cpu_count()) if hasattr(os, "getloadavg") else "load not known")
    return failed


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], int(sys.argv[3]))
    else:
        sys.exit(main(os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 10, sys.argv[3:] or list(SHAPES)))
