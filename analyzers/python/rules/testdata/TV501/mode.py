import torch


def outer(model, val_loader):
    model.eval()

    def run():
        for x, y in val_loader:
            print(model(x))  # ok: eval() stands outside

    run()
