import numpy as np
from transformers import AutoTokenizer, EvalPrediction

tok = AutoTokenizer.from_pretrained("x")


def compute_metrics(eval_preds):
    preds, labels = eval_preds
    a = tok.batch_decode(preds, skip_special_tokens=True)  # want TV107 "preds comes padded"
    b = tok.batch_decode(labels, skip_special_tokens=True)  # want TV107 "labels comes padded"
    return a, b


def by_attribute(pred: EvalPrediction):
    a = tok.batch_decode(pred.predictions)  # want TV107 "pred.predictions comes padded"
    ids = pred.label_ids
    b = tok.batch_decode(ids)  # want TV107 "pred.label_ids comes padded"
    return a, b


def replaced(eval_preds):
    preds, labels = eval_preds
    labels = np.where(labels != -100, labels, tok.pad_token_id)
    return tok.batch_decode(labels)  # ok: replaced before


def changed(eval_preds):
    preds, labels = eval_preds
    labels = clean(labels)
    return tok.batch_decode(labels)  # ok: changed in between


def other(model, labels):
    return tok.batch_decode(labels)  # ok: no Trainer gathered it


def clean(labels):
    return [[i for i in row if i >= 0] for row in labels]
