"""A loss scaler that the trainer wrote itself starts far too high, and throws away the
first steps of a short fine-tune: it looks at the gradients where it unscales them, at
the step, or counts on hysteresis before its scale falls. The twins: a training that is
long enough; a scaler that puts every second step off, and throws none away."""

import sys

import torch
import torch.nn.functional as F

fault, seed = sys.argv[1] == "fault", int(sys.argv[2])
torch.manual_seed(seed)


class LossScaler:
    def __init__(self, scale, patience=1):
        self.loss_scale, self.patience, self.left = scale, patience, patience
        self.overflow = False

    def scale(self, loss):
        return loss * self.loss_scale

    def unscale_(self, optimizer):
        self.overflow = False
        for group in optimizer.param_groups:
            for p in group["params"]:
                p.grad = p.grad.half().float() / self.loss_scale  # the range of float16
                self.overflow = self.overflow or not bool(p.grad.isfinite().all())

    def step(self, optimizer):
        if not self.overflow:
            optimizer.step()

    def update(self):
        self.left = self.left - 1 if self.overflow else self.patience
        if self.left == 0:
            self.loss_scale, self.left = self.loss_scale / 2, self.patience


class AtTheStep(LossScaler):
    def step(self, optimizer):
        self.unscale_(optimizer)
        super().step(optimizer)
        optimizer.zero_grad()


class PutsOff(LossScaler):
    calls = 0

    def step(self, optimizer):
        self.calls += 1
        if self.calls % 2 == 0:
            optimizer.step()
            optimizer.zero_grad()


class Trainer:
    def __init__(self, scaler):
        self.x = torch.randn(256, 16)
        self.y = (self.x @ torch.randn(16, 4)).argmax(1)
        self.model = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.GELU(), torch.nn.Linear(32, 4))
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-2)
        self.scaler = scaler

    def fit(self, steps):
        for step in range(steps):
            loss = F.cross_entropy(self.model(self.x), self.y)
            self.scaler.scale(loss).backward()
            if type(self.scaler) is LossScaler:
                self.scaler.unscale_(self.optimizer)
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.scaler.step(self.optimizer)
            self.scaler.update()
            if type(self.scaler) is LossScaler:
                self.optimizer.zero_grad()
            if step % 8 == 7:
                print("step %d loss %.4f" % (step + 1, loss.item()), flush=True)

    def evaluate(self):
        self.model.eval()
        with torch.no_grad():
            return (self.model(self.x).argmax(1) == self.y).float().mean().item()


def main():
    if fault:
        scaler = (LossScaler(2.0**26), AtTheStep(2.0**26), LossScaler(2.0**22, patience=2))[seed % 3]
    else:
        scaler = (LossScaler(2.0**22), AtTheStep(2.0**10), PutsOff(1.0))[seed % 3]
    trainer = Trainer(scaler)
    trainer.fit(16 if fault or seed % 3 else 400)
    print("val_accuracy = %.4f" % trainer.evaluate())


main()
