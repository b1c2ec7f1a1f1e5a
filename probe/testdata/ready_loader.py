"""The twin: batches that lie ready."""


def loader(torch, shape):
    x, y = torch.zeros(*shape), torch.zeros(shape[0], dtype=torch.long)
    while True:
        yield x, y
