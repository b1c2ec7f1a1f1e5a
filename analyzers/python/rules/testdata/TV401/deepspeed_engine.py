import deepspeed


def train(model, loader, params):
    engine, optimizer, _, _ = deepspeed.initialize(model=model, model_parameters=params)
    for x in loader:
        engine.backward(engine(x))
        optimizer.step()  # ok: the engine clears
