import torch


def main(model, loader, path, epochs):
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = torch.amp.GradScaler()
    checkpoint = torch.load(path)
    model.load_state_dict(checkpoint["model"])  # want "not the state of the scaler, which this file never loads: the scale begins anew"
    optimizer.load_state_dict(checkpoint["optimizer"])
    iter_num = checkpoint["iter_num"]
    while iter_num < 100:
        scaler.scale(model(next(loader))).backward()
        scaler.step(optimizer)
        scaler.update()
        iter_num += 1
