import logging
import math

import torch


def silent(model, batches, opt, log):
    for x in batches:
        loss = model(x)
        if torch.isnan(loss):  # want TV207 "neither counted nor told"
            continue
        if not torch.isfinite(loss).all():  # want TV207 "neither counted nor told"
            opt.zero_grad()
            continue
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if math.isinf(norm) or math.isnan(norm):  # want TV207 "neither counted nor told"
            opt.zero_grad(set_to_none=True)
            continue
        opt.step()


def closure(model, x, opt):
    loss = model(x)
    if not math.isfinite(loss.item()):  # want TV207 "neither counted"
        return
    loss.backward()
    opt.step()


def healthy(model, batches, opt, skipped):
    for x in batches:
        loss = model(x)
        if torch.isnan(loss):  # ok: it raises
            raise ValueError("diverged")
        if torch.isinf(loss):  # ok: told
            logging.warning("a step is left out")
            continue
        if torch.isnan(loss).any():  # ok: counted
            skipped += 1
            continue
        if math.isnan(loss.item()):  # ok: the run ends
            break
        if torch.isnan(x).any():  # ok: data, not what is trained
            continue
        if torch.isfinite(loss):  # ok: what is finite
            loss.backward()
        opt.step()


def score(values):
    for v in values:
        if math.isnan(v.loss):  # ok: nothing is trained here
            continue
