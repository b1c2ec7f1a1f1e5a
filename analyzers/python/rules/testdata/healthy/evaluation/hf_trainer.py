"""A Trainer of transformers with a loss and an evaluation of its own."""

import torch
from transformers import Trainer


class Weighted(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False, **kwargs):
        outputs = model(**inputs)
        loss = torch.nn.functional.cross_entropy(outputs.logits, inputs["labels"])
        return (loss, outputs) if return_outputs else loss

    def evaluate(self, eval_dataset=None, **kwargs):
        metrics = super().evaluate(eval_dataset, **kwargs)
        self.log(metrics)
        return metrics


def run(model, args, train_set, eval_set):
    trainer = Weighted(model=model, args=args, train_dataset=train_set, eval_dataset=eval_set)
    trainer.train()
    return trainer.evaluate()["eval_loss"]
