import numpy as np
from transformers import AutoTokenizer

tok = AutoTokenizer.from_pretrained("x")


def compute_metrics(pred):
    ids = np.argmax(pred.predictions, axis=-1)  # want TV108 "argmax makes word 0 of a filled frame"
    return tok.batch_decode(ids)


def unpacked(eval_pred):
    logits, labels = eval_pred
    ids = logits.argmax(-1)  # want TV108 "logits was filled up"
    return tok.batch_decode(ids), labels


def masked(pred):
    ids = np.argmax(pred.predictions, axis=-1)
    ids = ids[pred.label_mask]  # ok: masked
    return tok.batch_decode(ids)


def accuracy(eval_pred):
    logits, labels = eval_pred
    return (logits.argmax(-1) == labels).mean()  # ok: nothing is decoded


def other(model, x):
    ids = model(x).logits.argmax(-1)  # ok: no Trainer gathered it
    return tok.batch_decode(ids)
