"""Manual optimization of Lightning: the precision plugin scales."""

import torch
from lightning.pytorch import LightningModule


class Module(LightningModule):
    automatic_optimization = False

    def training_step(self, batch, i):
        optimizer = self.optimizers()
        loss = self.model(batch).mean()
        self.manual_backward(loss)
        if (i + 1) % 4 == 0:
            self.clip_gradients(optimizer, gradient_clip_val=1.0, gradient_clip_algorithm="norm")
            optimizer.step()
            optimizer.zero_grad()
            self.lr_schedulers().step()
