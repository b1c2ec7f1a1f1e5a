"""A LightningModule with its Trainer: a step and a schedule that the module makes
itself, values that it logs, checkpoints of the best, a validation at the end."""

import sys
import tempfile

import lightning as L
import torch
import torch.nn as nn
import torch.nn.functional as F
from lightning.pytorch.callbacks import ModelCheckpoint
from torch.utils.data import DataLoader, TensorDataset

seed, compiled = int(sys.argv[1]), sys.argv[2:] == ["compile"]


class Classifier(L.LightningModule):
    def __init__(self, lr=3e-3):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Linear(16, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 4))

    def forward(self, x):
        return self.net(x)

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = F.cross_entropy(self(x), y)
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        out = self(x)
        self.log("val_loss", F.cross_entropy(out, y))
        self.log("val_acc", (out.argmax(1) == y).float().mean())

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters(), lr=self.hparams.lr)
        return {"optimizer": optimizer, "lr_scheduler": torch.optim.lr_scheduler.StepLR(optimizer, 2)}


L.seed_everything(seed)
x = torch.randn(1280, 16)
y = (x @ torch.randn(16, 4)).argmax(1)
train_loader = DataLoader(TensorDataset(x[:1024], y[:1024]), batch_size=32, shuffle=True)
val_loader = DataLoader(TensorDataset(x[1024:], y[1024:]), batch_size=64)
model = Classifier()
if compiled:
    model = torch.compile(model, backend="aot_eager")
folder = tempfile.mkdtemp()
trainer = L.Trainer(
    max_epochs=3, accelerator="cpu", devices=1, default_root_dir=folder, logger=False, log_every_n_steps=8, gradient_clip_val=1.0,
    callbacks=[ModelCheckpoint(folder, monitor="val_acc", mode="max")], enable_progress_bar=False, precision="bf16-mixed" if seed % 2 else "32-true",
)
trainer.fit(model, train_loader, val_loader)
scores = trainer.validate(model, val_loader)[0]
print("val_acc = %.4f" % scores["val_acc"], flush=True)
