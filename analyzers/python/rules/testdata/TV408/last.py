import torch
import pytorch_lightning as pl
import torch.nn.functional as F
from torch import nn


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 2)
        self.criterion = nn.CrossEntropyLoss()
        self.log_softmax = nn.LogSoftmax(dim=-1)

    def forward(self, x):
        return self.linear(x)

    def training_step(self, batch):
        y_hat = self(batch[0])
        return self.criterion(y_hat, batch[1])  # ok: logits

    def validation_step(self, batch):
        y_hat = self(batch[0])
        y_hat = torch.softmax(y_hat, dim=1)
        return self.criterion(y_hat, batch[1])  # want TV408 "takes the softmax itself"

    def judged_first(self, batch):
        y_hat = self(batch[0])
        loss = self.criterion(y_hat, batch[1])  # ok: the softmax comes behind
        y_hat = torch.softmax(y_hat, dim=1)
        return loss, y_hat

    def shaped(self, batch):
        probs = torch.exp(self.log_softmax(self(batch[0])))
        return self.criterion(probs.view(-1, 2), batch[1])  # want TV408 "takes the softmax itself"

    def one_by_one(self, batch):
        loss = 0
        outputs = torch.softmax(self(batch[0]), -1)
        for out, y in zip(outputs, batch[1]):
            print(out)
        for out in outputs:
            loss += self.criterion(out, batch[1])  # want TV408 "takes the softmax itself"
        return loss

    def by_arm(self, batch, judged):
        out = self(batch[0])
        if judged:
            out = torch.softmax(out, -1)
        else:
            return self.criterion(out, batch[1])  # ok: the other arm took it
        return out

    def maybe(self, batch, judged):
        out = self(batch[0])
        if judged:
            out = torch.softmax(out, -1)
        return self.criterion(out, batch[1])  # ok: said of what is certain alone


class Regression(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 2)

    def forward(self, x):
        x = self.linear(x)
        y_hat = F.softmax(x)
        return y_hat

    def training_step(self, batch):
        y_hat = self(batch[0])
        return F.cross_entropy(y_hat, batch[1], reduction="sum")  # want TV408 "takes the softmax itself"
