from accelerate import Accelerator


def train(model, optimizer, loader, scaler):
    accelerator = Accelerator(mixed_precision="fp16")
    model, optimizer = accelerator.prepare(model, optimizer)
    for x in loader:
        scaler.scale(model(x)).backward()
        optimizer.step()  # ok: a prepared optimizer calls the scaler itself
