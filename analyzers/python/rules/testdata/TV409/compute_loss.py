import torch
import torch.nn.functional as F
from transformers import Trainer


class Weighted(Trainer):  # O12: the raw model, within a Trainer
    def compute_loss(self, model, inputs, return_outputs=False, **kwargs):
        labels = inputs.pop("labels")
        out = self.model(**inputs)  # want TV409 "self.model is called and not model"
        loss = F.cross_entropy(out.logits, labels)
        return (loss, out) if return_outputs else loss


class Right(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False, **kwargs):
        labels = inputs.pop("labels")
        out = model(**inputs)  # ok: the wrapped one
        loss = F.cross_entropy(out.logits, labels)
        return (loss, out) if return_outputs else loss


class Distilled(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False):
        out = model(**inputs)
        with torch.no_grad():
            target = self.teacher(**inputs).logits
        return F.mse_loss(out.logits, target)  # ok: another model is the teacher


class Referenced(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False):
        loss = super().compute_loss(model, inputs)
        with torch.no_grad():
            base = self.model(**inputs).loss  # ok: no gradients
        return loss - base


class Prompted(BaseTrainer):
    def compute_loss(self, model, inputs, return_outputs=False):
        out = self.model(**inputs)  # want TV409 "self.model is called and not model"
        return (out.loss, out) if return_outputs else out.loss


class OwnLoop(BaseTrainer):
    def compute_loss(self, outputs, labels):
        return F.cross_entropy(self.model(outputs), labels)  # ok: nothing is handed over, the trainer calls what it has
