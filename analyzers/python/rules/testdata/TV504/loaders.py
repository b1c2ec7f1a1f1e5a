from torch.utils.data import DataLoader


def make(train_set, val_set, test_dataset, datasets, ds, n):
    val_loader = DataLoader(val_set, batch_size=8, drop_last=True)  # want TV504 "leaves out its last batch"
    other = DataLoader(test_dataset, batch_size=8, shuffle=False, drop_last=True)  # want TV504 "leaves out its last batch"
    third = DataLoader(datasets["validation"], batch_size=8, drop_last=True)  # want TV504 "leaves out"
    eval_dl = DataLoader(ds, batch_size=8, drop_last=True)  # want TV504 "leaves out"
    a = DataLoader(train_set, batch_size=8, drop_last=True)  # ok: training
    b = DataLoader(val_set, batch_size=8)  # ok: all of it
    c = DataLoader(val_set, batch_size=8, drop_last=False)  # ok: all of it
    d = DataLoader(datasets["train"], drop_last=True)  # ok: training
    e = DataLoader(val_set, drop_last=n > 1)  # ok: computed
    train_val_loader = DataLoader(ds, drop_last=True)  # ok: it trains too
    return val_loader, other, third, eval_dl, a, b, c, d, e, train_val_loader


def one_batch(val_dataset):
    whole = DataLoader(dataset=val_dataset, batch_size=len(val_dataset), drop_last=True)  # ok: it is one batch
    half = DataLoader(dataset=val_dataset, batch_size=len(val_dataset) // 2, drop_last=True)  # want `last batch`
    return whole, half
