import math

import torch
from transformers import AutoTokenizer

tok = AutoTokenizer.from_pretrained("x")


def check(model, x, logits, loss):
    ids = model.generate(x)
    if not torch.isfinite(ids).all():  # want TV111 "ids are integers, which are always finite"
        raise ValueError("fault")
    best = logits.argmax(-1)
    if torch.isnan(best).any():  # want TV111 "best are integers"
        raise ValueError("fault")
    if torch.isnan(logits.argmax(dim=-1)).any():  # want TV111 "integers"
        raise ValueError("fault")
    if x["input_ids"].isnan().any() or torch.isnan(x.input_ids).any():  # want TV111 "x.input_ids are integers"
        raise ValueError("fault")
    if not torch.isfinite(loss):  # ok: a loss
        raise ValueError("fault")
    if not torch.isfinite(logits).all():  # ok: logits
        raise ValueError("fault")
    if math.isnan(loss.item()):  # ok: a number
        raise ValueError("fault")
    return tok.decode(ids)
