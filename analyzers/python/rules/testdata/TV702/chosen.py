from torch.utils.data import DataLoader, RandomSampler, SequentialSampler
from torch.utils.data.distributed import DistributedSampler


def chosen(model, data, held_out, opt, args):
    train_sampler = RandomSampler if args.local_rank == -1 else DistributedSampler
    loader = DataLoader(data, sampler=train_sampler(data))  # want "nothing calls set_epoch"
    test_loader = DataLoader(held_out, sampler=SequentialSampler(held_out))  # ok: in order
    for epoch in range(args.epochs):
        for batch in loader:
            model(batch).backward()
            opt.step()


def of_others(model, data, opt, args):
    kind = RandomSampler if args.local_rank == -1 else SequentialSampler
    loader = DataLoader(data, sampler=kind(data))  # ok: neither is split over ranks
    for epoch in range(args.epochs):
        for batch in loader:
            model(batch).backward()
            opt.step()
