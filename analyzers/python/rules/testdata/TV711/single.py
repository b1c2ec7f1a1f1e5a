from torch.utils.data import DataLoader


def train(model, data, opt):
    loader = DataLoader(data, shuffle=True)  # ok: one process
    for x in loader:
        model(x).backward()
        opt.step()
