import math

import numpy as np
import torch
from math import nan


def stop(loss, best):
    if loss == float("nan"):  # want TV208 "always false"
        raise RuntimeError("diverged")
    if loss == np.nan or best != torch.nan:  # want TV208 "always false" TV208 "always true"
        return True
    if math.nan == loss:  # want TV208 "always false"
        return True
    return loss != nan  # want TV208 "always true"


def healthy(loss, name):
    if loss != loss:  # ok: only NaN differs from itself
        raise RuntimeError("diverged")
    if math.isnan(loss):  # ok: asked as it should be
        return True
    if name == "nan":  # ok: a text
        return True
    if loss is np.nan:  # ok: another mistake, and other linters have it
        return True
    return loss == float("inf")  # ok: infinity equals itself
