import torch
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.nn.parallel import DistributedDataParallel as DDP


def back_and_forth(model, loader, optimizer, rank):
    ddp = DDP(model.cuda(rank))
    ddp.cpu()  # want TV410 "moved or cast behind"
    torch.save(ddp.state_dict(), "start.pt")
    ddp.cuda()  # want TV410 "ddp"
    for x in loader:
        ddp(x).backward()
        optimizer.step()


def cast(model, loader, optimizer):
    model = DDP(model)
    model.half()  # want TV410 "model is moved or cast"
    for x in loader:
        model(x).backward()
        optimizer.step()


def late(model, loader, optimizer, device):
    model = DDP(model)
    model = model.to(device)  # want TV410 "hooks stay"
    for x in loader:
        model(x).backward()
        optimizer.step()


def inner(model, loader, optimizer):
    wrapped = DDP(model)
    wrapped.module.double()  # want TV410 "wrapped"
    for x in loader:
        wrapped(x).backward()
        optimizer.step()


def sharded(model, loader, optimizer, dtype):
    fsdp = FSDP(model)
    fsdp.to(dtype)  # want TV410 "fsdp"
    for x in loader:
        fsdp(x).backward()
        optimizer.step()


def in_loop(model, loader, optimizer, n):
    ddp = DDP(model.cuda())
    for i, x in enumerate(loader):
        ddp(x).backward()
        optimizer.step()
        if i % n == 0:
            ddp.cpu()  # want TV410 "ddp"


def healthy(model, loader, optimizer, rank):
    model = model.to(rank)  # ok: before
    ddp = DDP(model, device_ids=[rank])
    for x in loader:
        ddp(x).backward()
        optimizer.step()


def exported(model, loader, optimizer):
    ddp = DDP(model)
    for x in loader:
        ddp(x).backward()
        optimizer.step()
    ddp.cpu()  # ok: nothing is trained any more
    torch.save(ddp.module.state_dict(), "end.pt")


def evaluated(model, loader):
    ddp = DDP(model)
    ddp.half()  # ok: nothing is trained
    return [ddp(x) for x in loader]


def same_place(model, loader, optimizer, device):
    model.to(device)
    ddp = DDP(model)
    ddp.to(device)  # ok: it is there already
    for x in loader:
        ddp(x).backward()
        optimizer.step()


def within(model, loader, optimizer, device):
    ddp = DDP(model.to(device))
    ddp.to(device)  # ok: it is there already
    for x in loader:
        ddp(x).backward()
        optimizer.step()


def other(model, teacher, loader, optimizer):
    ddp = DDP(model)
    teacher.half()  # ok: another model
    for x in loader:
        ddp(x).backward()
        optimizer.step()


def batches(model, loader, optimizer):
    ddp = DDP(model)
    for x in loader:
        ddp(x.cuda()).float().mean().backward()  # ok: what is moved is no model
        optimizer.step()


def rewrapped(model, loader, optimizer, device):
    ddp = DDP(model)
    ddp = ddp.module
    ddp.to(device)  # ok: no longer wrapped
    for x in loader:
        ddp(x).backward()
        optimizer.step()


def state(model, loader, optimizer):
    ddp = DDP(model)
    state = {k: v.cpu() for k, v in ddp.state_dict().items()}  # ok: copies
    for x in loader:
        ddp(x).backward()
        optimizer.step()
    return state


def plain(model, loader, optimizer):
    model.half()  # ok: never wrapped
    for x in loader:
        model(x).backward()
        optimizer.step()


def arms(model, loader, optimizer, device, parallel):
    if parallel:
        net = DDP(model)
    else:
        net = model
        net.to(device)  # ok: the arm that does not wrap
    for x in loader:
        net(x).backward()
        optimizer.step()


def as_made(vit, loader, optimizer, device):
    wrapped = DDP(vit).to(device)  # want TV410 "DDP.vit. is moved or cast behind its wrapping"
    for x in loader:
        wrapped(x).backward()
        optimizer.step()


def as_made_there(mlp, loader, optimizer, device):
    mlp = mlp.to(device)
    wrapped = DDP(mlp).to(device)  # ok: it is there already
    for x in loader:
        wrapped(x).backward()
        optimizer.step()


def moved_within(cnn, loader, optimizer, device):
    wrapped = DDP(cnn.to(device))  # ok: moved before it is wrapped
    for x in loader:
        wrapped(x).backward()
        optimizer.step()


def as_made_in_one(loader, optimizer, device):
    small = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU()).to(device)
    wrapped = DDP(small).to(device)  # ok: it was made there
    for x in loader:
        wrapped(x).backward()
        optimizer.step()


def as_made_cast(loader, optimizer, device):
    large = torch.nn.Linear(4, 4).to(device)
    wrapped = DDP(large).to(torch.bfloat16)  # want TV410 "DDP.large. is moved or cast"
    for x in loader:
        wrapped(x).backward()
        optimizer.step()
