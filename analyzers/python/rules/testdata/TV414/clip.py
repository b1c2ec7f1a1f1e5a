import torch
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp import FullyShardedDataParallel, ShardingStrategy
from torch.nn.utils import clip_grad_norm_


def plain(net, loader, optimizer):
    model = FSDP(net)
    for x in loader:
        model(x).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # want TV414 "one rank's part"
        optimizer.step()


def same_name(model, loader, optimizer):
    model = FullyShardedDataParallel(model, device_id=0)
    for x in loader:
        model(x).backward()
        clip_grad_norm_(model.parameters(), max_norm=1.0)  # want TV414 "by another factor"
        optimizer.step()


def norm(net, loader):
    sharded = FSDP(net, sharding_strategy=ShardingStrategy.SHARD_GRAD_OP)
    for x in loader:
        sharded(x).backward()
        print(clip_grad_norm_(sharded.parameters(), 1.0))  # want TV414 "too small"


class Trainer:
    def __init__(self, net):
        self.model = FSDP(net)

    def step(self, loss):
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0, norm_type=2.0)  # want TV414 "sharded|part"
        self.optimizer.step()


def branch(net, loss, shard):
    model = net
    if shard:
        model = FSDP(net)
    loss.backward()
    clip_grad_norm_(model.parameters(), 1.0)  # want TV414 "part"


def hybrid(net, loss):
    model = FSDP(net, sharding_strategy=ShardingStrategy.HYBRID_SHARD)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)  # want TV414 "part"


def healthy(net, loss):
    model = FSDP(net)
    loss.backward()
    model.clip_grad_norm_(1.0)  # ok: the model gathers the norm


def unsharded(net, loss):
    model = FSDP(net, sharding_strategy=ShardingStrategy.NO_SHARD)
    loss.backward()
    clip_grad_norm_(model.parameters(), 1.0)  # ok: nothing is sharded


def asked(net, loss, fsdp):
    model = FSDP(net) if fsdp else net
    loss.backward()
    if isinstance(model, FSDP):
        model.clip_grad_norm_(1.0)
    else:
        clip_grad_norm_(model.parameters(), 1.0)  # ok: the other arm


def other(net, teacher, loss):
    model = FSDP(net)
    loss.backward()
    clip_grad_norm_(teacher.parameters(), 1.0)  # ok: another model
    return model


def before(net, loss):
    loss.backward()
    clip_grad_norm_(net.parameters(), 1.0)  # ok: not sharded
    return FSDP(net)


def ddp(net, loss, DDP):
    model = DDP(net)
    loss.backward()
    clip_grad_norm_(model.parameters(), 1.0)  # ok: every rank has all gradients


def second_form(model, loss, fully_shard):
    fully_shard(model)
    loss.backward()
    clip_grad_norm_(model.parameters(), 1.0)  # ok: its gradients are DTensors, torch's function knows them


def list_of(net, loss):
    model = FSDP(net)
    loss.backward()
    params = [p for p in model.parameters() if p.requires_grad]
    clip_grad_norm_(params, 1.0)  # ok: not seen; a blind spot


def accelerated(net, loss, accelerator):
    model = FSDP(net)
    loss.backward()
    accelerator.clip_grad_norm_(model.parameters(), 1.0)  # ok: another object's method


def given(model, loss):
    loss.backward()
    clip_grad_norm_(model.parameters(), 1.0)  # ok: what the model is is not known


def arms(net, loss, fsdp):
    if fsdp:
        model = FSDP(net)
        model.clip_grad_norm_(1.0)
    else:
        model = net
        clip_grad_norm_(model.parameters(), 1.0)  # ok: the arm that does not shard
