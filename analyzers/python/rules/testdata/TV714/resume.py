import torch


def fit(model, loader, optimizer, scheduler, scaler, start, epochs):
    for epoch in range(start, epochs):
        for x in loader:
            scaler.scale(model(x)).backward()
            scaler.step(optimizer)
            scaler.update()
        scheduler.step()


def resume(model, path):
    ckpt = torch.load(path)
    model.load_state_dict(ckpt["model"])  # want "not the state of the optimizer and the scheduler and the scaler"
    start_epoch = ckpt["epoch"] + 1
    return start_epoch


def resume_with_get(model, path):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["net"])  # want "which this file never loads: its moments begin at zero"
    global_step = state.get("step", 0)
    return global_step


class Trainer:
    def load(self, path):
        snapshot = torch.load(path)
        self.model.load_state_dict(snapshot["MODEL_STATE"])  # want "goes on where the checkpoint was made"
        self.epochs_run = snapshot["EPOCHS_RUN"]


def renamed(model, path):
    checkpoint = torch.load(path)
    sd = checkpoint["state_dict"]
    model.load_state_dict({k[7:]: v for k, v in sd.items()})  # ok: not followed through a comprehension
    return checkpoint["epoch"]


def through_a_name(model, path):
    checkpoint = torch.load(path)
    weights = checkpoint["state_dict"]
    model.load_state_dict(weights)  # want "goes on"
    start_epoch = checkpoint["epoch"]
    return start_epoch


def whole(model, path):
    checkpoint = torch.load(path)
    iteration = checkpoint["iteration"]
    model.load_state_dict(checkpoint)  # want "goes on"
    return iteration


def evaluated(model, path):
    ckpt = torch.load(path)
    model.load_state_dict(ckpt["model"])  # ok: no epoch is taken up
    return model


def epoch_printed(model, path):
    ckpt = torch.load(path)
    model.load_state_dict(ckpt["model"])  # ok: the epoch is printed alone
    print("epoch", ckpt["epoch"])


def best_epoch(model, path):
    ckpt = torch.load(path)
    model.load_state_dict(ckpt["model"])  # ok: which epoch was best is no place to go on from
    best_epoch = ckpt["epoch"]
    return best_epoch


def weights_alone(model, path):
    model.load_state_dict(torch.load(path))  # ok: weights to begin with


def teacher(teacher_model, path):
    ckpt = torch.load(path)
    teacher_model.load_state_dict(ckpt["model"])  # ok: not what is trained
    epoch = ckpt["epoch"]
    return epoch


def handed_in(model, ckpt):
    model.load_state_dict(ckpt["model"])  # ok: whoever loaded it may load the rest
    epoch = ckpt["epoch"]
    return epoch
