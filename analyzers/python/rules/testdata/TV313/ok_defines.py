import torch


class Wrapped:
    def __init__(self, params):
        self.optimizer = torch.optim.Adam(params, fused=True)
        self.step_was_skipped = False  # ok: set here, by whoever knows

    def step(self, found_inf):
        self.step_was_skipped = bool(found_inf)  # ok: from found_inf
        self.optimizer.step()

    @property
    def optimizer_step_was_skipped(self):
        return bool(self.found)  # ok: a definition


def unfused(step_was_skipped, optimizer_step_was_skipped):
    return step_was_skipped or optimizer_step_was_skipped  # ok: plain names


def text():
    return "step_was_skipped"  # ok: a text


def keyword(log):
    log(step_was_skipped=1)  # ok: an argument's name


def subscript(state):
    return state["step_was_skipped"]  # ok: a key
