import torch


def largest(make, sizes):
    best = 0
    for size in sizes:
        try:
            make(size).sum().backward()
            best = size
        except RuntimeError as e:  # ok: nothing steps here, it is found out what fits
            if "out of memory" not in str(e):
                raise
    return best
