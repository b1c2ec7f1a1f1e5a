import torch
from accelerate import Accelerator


def train(model, loader, scheduler, fused):
    accelerator = Accelerator()
    optimizer = torch.optim.AdamW(model.parameters(), foreach=True)
    other = torch.optim.SGD(model.parameters(), fused=False)
    third = torch.optim.SGD(model.parameters(), fused=fused)
    norm = torch.nn.LayerNorm(8, fused=True)  # ok: no optimizer
    for x in loader:
        accelerator.backward(norm(model(x)).mean())
        optimizer.step()
        if not accelerator.optimizer_step_was_skipped:  # ok: not fused
            scheduler.step()
        self_made = other.step_was_skipped or third.step_was_skipped  # ok: not known to be fused
        print(self_made)
