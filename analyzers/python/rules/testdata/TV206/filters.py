import warnings

import torch

warnings.filterwarnings("ignore")  # want TV206 "every warning of the process is hidden"
warnings.simplefilter("ignore")  # want TV206 "every warning"
warnings.filterwarnings(action="ignore")  # want TV206 "every warning"
warnings.filterwarnings("ignore", category=DeprecationWarning)  # ok: one category
warnings.filterwarnings("ignore", module="librosa")  # ok: one module
warnings.filterwarnings("ignore", ".*TypedStorage.*")  # ok: one message
warnings.filterwarnings("error")  # ok: none is hidden
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # ok: undone behind the block


def train(model, x, opt):
    model(x).backward()
    opt.step()
