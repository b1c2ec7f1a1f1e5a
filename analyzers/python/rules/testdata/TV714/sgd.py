import torch


def main(model, loader, path, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    ckpt = torch.load(path)
    model.load_state_dict(ckpt["model"])  # ok: SGD without momentum has no state
    start_epoch = ckpt["epoch"]
    for epoch in range(start_epoch, epochs):
        model(next(loader)).backward()
        optimizer.step()
