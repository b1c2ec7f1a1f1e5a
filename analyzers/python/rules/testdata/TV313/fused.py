import torch
from accelerate import Accelerator


def train(model, loader, scheduler):
    accelerator = Accelerator(mixed_precision="fp16")
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
    model, optimizer = accelerator.prepare(model, optimizer)
    skipped = 0
    for x in loader:
        accelerator.backward(model(x).mean())
        optimizer.step()
        if not accelerator.optimizer_step_was_skipped:  # want TV313 "always false"
            scheduler.step()
        skipped += optimizer.step_was_skipped  # want TV313 "fused"
        print("skipped", accelerator.optimizer_step_was_skipped, skipped)  # want TV313 "always false"


class Loop:
    def step(self, accelerator):
        self.optimizer.step()
        if accelerator.optimizer_step_was_skipped:  # want TV313 "always false"
            return False
        self.last = self.optimizer.step_was_skipped  # want TV313 "always false"
        return not getattr(self, "optimizer").step_was_skipped  # want TV313 "always false"
