import torch


def pick():
    if torch.cuda.is_available():  # want TV612 "chooses among cuda, mps"
        return "cuda"
    elif torch.backends.mps.is_available():
        return "mps"
    return "cpu" if True else "cpu"


where = torch.accelerator.current_accelerator()  # want TV612 "chooses among any"
