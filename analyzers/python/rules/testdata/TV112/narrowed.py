import numpy as np
import torch
import trainvet
from transformers import AutoTokenizer

tok = AutoTokenizer.from_pretrained("x")


def narrowed(model, x):
    ids = model.generate(x).to(torch.int16)
    trainvet.check_ids(ids, tok)
    return tok.decode(ids)  # want TV112 "narrowed before anything checks them"


def in_the_guard(model, x):
    ids = model.generate(x)
    ids = trainvet.check_ids(ids.cpu().numpy().astype(np.uint16), tok)
    return tok.decode(ids)  # want TV112 "narrowed before anything checks them"


def short(model, x):
    ids = model.generate(x).short()
    if ids.min() < 0 or ids.max() >= len(tok):
        raise ValueError("impossible id")
    return tok.decode(ids)  # want TV112 "narrowed before anything checks them"


def after(model, x):
    ids = trainvet.check_ids(model.generate(x), tok)
    return tok.decode(ids.to(torch.int16))  # ok: checked at full width


def corpus(text, path):
    ids = np.array(tok(text).input_ids, dtype=np.uint16)
    ids.tofile(path)  # ok: ids of the host, stored


def wide(model, x):
    ids = trainvet.check_ids(model.generate(x).to(torch.int64), tok)
    return tok.decode(ids)  # ok: not narrower
