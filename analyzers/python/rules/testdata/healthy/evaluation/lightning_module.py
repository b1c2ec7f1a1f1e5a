"""Lightning sets the mode, switches gradients off and reduces what is logged."""

import lightning as L
import torch
from torch import nn


class Classifier(L.LightningModule):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def training_step(self, batch, batch_idx):
        x, y = batch
        return nn.functional.cross_entropy(self.net(x), y)

    def validation_step(self, batch, batch_idx):
        x, y = batch
        val_loss = nn.functional.cross_entropy(self.net(x), y)
        self.log("val_loss", val_loss, sync_dist=True)
        return val_loss

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-3)
