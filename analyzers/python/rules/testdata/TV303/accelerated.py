from accelerate import Accelerator
from torch.nn.utils import clip_grad_norm_


def train(model, optimizer, loader):
    accelerator = Accelerator()
    for x in loader:
        accelerator.backward(accelerator.scaler.scale(model(x)))
        accelerator.clip_grad_norm_(model.parameters(), 1.0)  # ok: it unscales by itself
        clip_grad_norm_(model.parameters(), 1.0)  # ok: the framework's loop is its own matter
        optimizer.step()
