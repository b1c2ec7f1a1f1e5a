"""train.py END: 24 steps, an evaluation after 12 and after 24; between the two the
process, or what it writes to, ends in one of many ways."""

import ctypes
import glob
import os
import resource
import shutil
import signal
import sys
import threading
import time

import torch
from torch.utils.data import DataLoader, TensorDataset

end = sys.argv[1]
torch.manual_seed(0)
torch.set_num_threads(1)
x = torch.randn(96, 8)
y = (x @ torch.randn(8, 3)).argmax(1)
model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 3))
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
records = os.path.join(os.environ["TRAINVET_RUN"], "records")


class Dying(torch.utils.data.Dataset):
    """A worker ends while the loader waits for it."""

    def __len__(self):
        return 32

    def __getitem__(self, i):
        if i >= 16 and end == "worker leaves":
            os._exit(3)
        if i >= 16 and end == "worker killed":
            os.kill(os.getpid(), signal.SIGKILL)
        return x[i], y[i]


def train(loader):
    model.train()
    for inputs, labels in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(inputs), labels).backward()
        optimizer.step()


def evaluate(epoch):
    model.eval()
    with torch.no_grad():
        print({"eval_loss": round(torch.nn.functional.cross_entropy(model(x), y).item(), 4), "epoch": epoch}, flush=True)


def own_record():
    return max(glob.glob(os.path.join(records, "%d-*.jsonl" % os.getpid())))


def kill(*_):
    os.kill(os.getpid(), signal.SIGKILL)


loader = DataLoader(TensorDataset(x, y), batch_size=8)
train(loader)
evaluate(1)
if end == "killed in a step":
    optimizer.register_step_pre_hook(kill)
elif end == "killed in a write":  # of its next record only a part arrives
    with open(own_record(), "ab") as f:
        f.write(b'{"v":1,"type":"count","wall":17')
    kill()
elif end == "group killed":
    os.killpg(0, signal.SIGKILL)
elif end == "aborted by a thread":
    thread = threading.Thread(target=ctypes.CDLL(None).abort)
    thread.start()
    thread.join()
elif end == "out of memory":
    resource.setrlimit(resource.RLIMIT_AS, (1 << 34, 1 << 34))
    bytearray(1 << 35)
elif end == "left":
    os._exit(5)
elif end.startswith("worker"):
    train(DataLoader(Dying(), batch_size=8, num_workers=1))
elif end == "record is full":
    size = os.path.getsize(own_record()) + 100
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
elif end == "records are gone":
    shutil.rmtree(records)
    time.sleep(2)  # that a process loaded PyTorch is seen from outside once a second
elif end == "no standard error":
    os.close(2)
train(loader)
evaluate(2)
