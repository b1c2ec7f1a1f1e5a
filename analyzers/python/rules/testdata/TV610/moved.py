import torch
from torch import nn

device = torch.device("cuda")


def loss(pred, model, loader, tokenizer, batch):
    target = torch.zeros(4)
    target.to(device)  # want TV610 "target is neither moved nor cast"
    mask = torch.ones(4).unsqueeze(0)
    mask.half()  # want TV610 "mask is neither moved nor cast"
    w = torch.tensor([1.0, 2.0])
    w.cuda()  # want TV610 "nothing takes"
    ids = torch.from_numpy(pred).long()
    ids.to(pred.device, non_blocking=True)  # want TV610 "ids is neither moved nor cast"
    total = torch.cat([target, mask])
    total.detach()  # want TV610 "total is not detached"
    model.to(device)  # ok: a module moves in place
    net = nn.Linear(4, 4)
    net.to(device)  # ok: a module moves in place
    net.half()  # ok: a module is cast in place
    enc = tokenizer("text", return_tensors="pt")
    enc.to(device)  # ok: a BatchEncoding moves in place
    batch.to(device)  # ok: not known what it is
    for x, y in loader:
        x.to(device)  # ok: not known what it is
    moved = target.to(device)  # ok: taken
    target = target.to(device)  # ok: taken
    print(target.cpu())  # ok: taken
    return moved


class Buffered(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.arange(8)
        self.head = nn.Linear(4, 4)

    def move(self, device):
        self.table.to(device)  # want TV610 "self.table is neither moved nor cast"
        self.head.to(device)  # ok: a module


def either(flag):
    thing = torch.zeros(3)
    if flag:
        thing = nn.Linear(3, 3)
    thing.to(device)  # ok: it may be a module


def annotated(x: torch.Tensor):
    x.float()  # want TV610 "x is neither moved nor cast"
