import numpy as np
import torch
from transformers import AutoTokenizer

tok = AutoTokenizer.from_pretrained("x")


def clamped(model, x):
    ids = model.generate(x)
    ids = ids.clamp(0, len(tok) - 1)  # want TV110 "bent to its last word"
    return tok.decode(ids)


def clipped(model, x):
    return tok.batch_decode(np.clip(model.generate(x), 0, tok.vocab_size - 1))  # want TV110 "bent to its last word"


def replaced(model, x):
    ids = model.generate(x)
    ids = torch.where(ids < len(tok), ids, tok.pad_token_id)  # want TV110 "are replaced"
    return tok.batch_decode(ids.cpu())


def masked(model, x):
    ids = model.generate(x)
    ids = ids.masked_fill(ids >= tok.vocab_size, tok.unk_token_id)  # want TV110 "are replaced"
    return tok.batch_decode(ids)


def left_out(model, x):
    ids = model.generate(x)[0]
    return tok.decode([i for i in ids if i < len(tok)])  # want TV110 "are left out"


def one(model, x):
    i = model.generate(x)[0]
    return tok.decode([i]) if 0 <= i < len(tok) else ""  # want TV110 "becomes"


def caught(model, x):
    ids = model.generate(x)
    try:
        return tok.decode(ids)
    except (OverflowError, IndexError):  # want TV110 "is caught here and goes no further"
        return ""


def specials(model, x):
    ids = model.generate(x)[0]
    return tok.decode([i for i in ids if i not in tok.all_special_ids])  # ok: special tokens are no fault


def cut(model, x):
    ids = model.generate(x)[0]
    return tok.decode(ids[: ids.index(tok.eos_token_id)])  # ok: cut behind the end


def told(model, x):
    ids = model.generate(x)
    try:
        return tok.decode(ids)
    except OverflowError as e:  # ok: it raises
        raise ValueError("impossible id") from e


def padding(model, x):
    labels = model.generate(x)
    labels = np.where(labels != -100, labels, tok.pad_token_id)
    return tok.batch_decode(labels)  # ok: the fill of a collator


def other_clamp(model, x):
    ids = model.generate(x)
    n = ids.clamp(min=0)
    return tok.decode(ids), n  # ok: not what is decoded


def prompt(text):
    ids = tok(text).input_ids
    return tok.decode([i for i in ids if i < len(tok)])  # ok: these ids never left the host


def counted(model, x, faults):
    ids = model.generate(x)
    try:
        return tok.decode(ids)
    except OverflowError:  # ok: counted
        faults.append(ids)
        return ""


def name_of_pad(model):
    try:
        return tok.convert_ids_to_tokens(tok.pad_token_id)
    except IndexError:  # ok: a special token, which the tokenizer itself names
        return "<pad>"


def two_signatures(model, x):
    ids = model.generate(x)
    try:
        out = tok.decode(ids, time_horizon=8)
    except TypeError:  # ok: one that does not know the keyword is asked without it
        out = tok.decode(ids)
    return out
