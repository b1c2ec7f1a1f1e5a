from accelerate import Accelerator


def train(model, loader, optimizer, scheduler, scaler):
    accelerator = Accelerator(mixed_precision="fp16")
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)
        scheduler.step()  # ok: a prepared scheduler asks whether the step was skipped
