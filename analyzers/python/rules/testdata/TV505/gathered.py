from torch.utils.data.distributed import DistributedSampler


def evaluate(model, val_set, accelerator):
    sampler = DistributedSampler(val_set)  # ok: what is repeated is taken out again
    return accelerator.gather_for_metrics(model(sampler))
