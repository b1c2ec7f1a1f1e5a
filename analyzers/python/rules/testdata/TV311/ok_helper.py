from torch.cuda.amp import GradScaler


def train(model, loader, optimizer, save_checkpoint):
    scaler = GradScaler()
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)
        scaler.update()
    save_checkpoint({"optimizer": optimizer.state_dict()}, scaler=scaler)  # ok: the helper gets it
