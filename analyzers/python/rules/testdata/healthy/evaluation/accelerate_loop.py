"""Evaluation under accelerate: repeated items are taken out by gather_for_metrics."""

import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader


def main(model, optimizer, train_set, val_set, metric, epochs):
    accelerator = Accelerator()
    train_loader = DataLoader(train_set, batch_size=8, shuffle=True, drop_last=True)
    val_loader = DataLoader(val_set, batch_size=8)
    model, optimizer, train_loader, val_loader = accelerator.prepare(model, optimizer, train_loader, val_loader)
    for epoch in range(epochs):
        model.train()
        for batch in train_loader:
            loss = model(**batch).loss
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
        model.eval()
        for batch in val_loader:
            with torch.no_grad():
                outputs = model(**batch)
            predictions, references = accelerator.gather_for_metrics((outputs.logits.argmax(dim=-1), batch["labels"]))
            metric.add_batch(predictions=predictions, references=references)
        val_metric = metric.compute()
        accelerator.print(f"epoch {epoch}: {val_metric}")
