"""Lightning: CSV and TensorBoard loggers, a checkpoint and early stopping on val_loss.

    python light.py MODE

MODE: healthy; nan (learning rate 1e30: early stopping sees a val_loss that is not
finite); raise (an exception in the second epoch).
"""
import sys

import lightning as L
import torch
from lightning.pytorch.callbacks import EarlyStopping, ModelCheckpoint
from lightning.pytorch.loggers import CSVLogger, TensorBoardLogger
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

mode = sys.argv[1]
L.seed_everything(0)
x = torch.randn(640, 16)
y = (x[:, :4].sum(1) > 0).long()
train = DataLoader(TensorDataset(x[:512], y[:512]), batch_size=32, shuffle=True)
held = DataLoader(TensorDataset(x[512:], y[512:]), batch_size=64)


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 2))

    def training_step(self, batch, i):
        if mode == "raise" and self.current_epoch == 1 and i == 5:
            raise ValueError("sample 17 has no label")
        loss = nn.functional.cross_entropy(self.net(batch[0]), batch[1])
        self.log("train_loss", loss, prog_bar=True)
        return loss

    def held_out(self, batch, name):
        logits = self.net(batch[0])
        self.log(f"{name}_loss", nn.functional.cross_entropy(logits, batch[1]), prog_bar=True)
        self.log(f"{name}_acc", (logits.argmax(1) == batch[1]).float().mean(), prog_bar=True)

    def validation_step(self, batch, i):
        self.held_out(batch, "val")

    def test_step(self, batch, i):
        self.held_out(batch, "test")

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=1e30 if mode == "nan" else 0.1)


trainer = L.Trainer(accelerator="cpu", max_epochs=3, log_every_n_steps=4, num_sanity_val_steps=0,
                    logger=[CSVLogger("."), TensorBoardLogger(".", name="tb")],
                    callbacks=[EarlyStopping("val_loss", verbose=True), ModelCheckpoint(monitor="val_loss")])
model = Net()
trainer.fit(model, train, held)
trainer.test(model, held)
