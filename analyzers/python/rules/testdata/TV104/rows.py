import numpy as np
import torch
import trainvet
from transformers import AutoTokenizer

tok = AutoTokenizer.from_pretrained("x")


def check(rows, n):
    trainvet.check_ids(np.array([r[:n] for r in rows]), tok)  # want TV104 "rows of different length"
    cut = [r[1:] for r in rows]
    trainvet.check_ids(torch.tensor(cut), tok)  # want TV104 "cut are rows of different length"
    some = np.asarray([[i for i in r if i != 0] for r in rows])  # want TV104 "rows of different length"
    trainvet.check_ids(some, tok)


def healthy(rows, ids):
    trainvet.check_ids([r[:3] for r in rows], tok)  # ok: rows as they are
    trainvet.check_ids(np.array(ids), tok)  # ok: whatever it is, not cut here
    trainvet.check_ids(torch.tensor([int(i) for i in ids]), tok)  # ok: one row
    trainvet.check_ids(np.array([r[0] for r in rows]), tok)  # ok: one id a row
    other = np.array([r[1:] for r in rows])  # ok: nothing checks it
    return other
