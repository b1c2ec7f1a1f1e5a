"""A trainer in several processes. The first word says which: what they compute is
the same, and one way of starting them leaves the guards out."""
import subprocess
import sys
import time

import torch


class Slow(torch.utils.data.Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, i):
        time.sleep(0.4)  # a worker that is there at several looks
        return torch.tensor([float(i)])


def train(workers):
    torch.manual_seed(0)
    model = torch.nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    for batch in torch.utils.data.DataLoader(Slow(), batch_size=2, num_workers=workers):
        loss = (model(batch) - batch).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        print({"eval_loss": round(float((model(batch) - batch).square().mean()), 4), "epoch": 1.0})


def child(seconds):
    import torch.nn.functional  # noqa: F401

    time.sleep(seconds)


if __name__ == "__main__":
    way = sys.argv[1]
    other = None
    if way == "isolated":  # python -I sees no PYTHONPATH: no guard is in it
        other = subprocess.Popen([sys.executable, "-I", __file__, "child"])
    elif way == "guarded":
        other = subprocess.Popen([sys.executable, __file__, "child"])
    elif way == "spawned":
        other = torch.multiprocessing.get_context("spawn").Process(target=child, args=(2,))
        other.start()
    elif way == "reader":  # it reads the library as a file, as linkers and checkers of digests do
        lib = torch.__path__[0] + "/lib/libtorch_cpu.so"
        other = subprocess.Popen(["sh", "-c", 'exec 3<"$0"; sleep 2', lib])
    if way == "child":
        child(2.5)
        sys.exit()
    train(2 if way == "workers" else 0)
    if other is not None:
        (other.join if hasattr(other, "join") else other.wait)()
