from torch.utils.data import DataLoader, SequentialSampler
from torch.utils.data.distributed import DistributedSampler


def make(train_set, val_set, eval_dataset, test_data, rank, ds):
    a = DistributedSampler(val_set, shuffle=False)  # want TV505 "repeats items until every process has as many"
    b = DistributedSampler(eval_dataset) if rank >= 0 else SequentialSampler(eval_dataset)  # want TV505 "counts some of them twice"
    val_sampler = DistributedSampler(ds, shuffle=False)  # want TV505 "repeats items"
    c = DataLoader(test_data, sampler=DistributedSampler(test_data))  # want TV505 "repeats items"
    self_val = DistributedSampler(dataset=val_set, rank=rank)  # want TV505 "repeats items"
    test_sampler = DistributedSampler(ds)  # want TV505 "repeats items"
    d = DistributedSampler(train_set)  # ok: training
    e = DistributedSampler(val_set, drop_last=True)  # ok: nothing is repeated
    f = SequentialSampler(val_set)  # ok: one process
    g = DataLoader(val_set)  # ok: no sampler
    h = DistributedSampler(ds)  # ok: not said what it is
    train_eval_sampler = DistributedSampler(ds)  # ok: training too
    return a, b, val_sampler, c, self_val, test_sampler, d, e, f, g, h, train_eval_sampler
