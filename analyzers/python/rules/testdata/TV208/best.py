import math

import numpy as np
import torch


class EarlyStopping:
    """The one that is copied most."""

    def __init__(self, patience=7, delta=0):
        self.patience, self.delta = patience, delta
        self.counter, self.best_score, self.early_stop = 0, None, False

    def __call__(self, val_loss, model):
        score = -val_loss
        if self.best_score is None:
            self.best_score = score
            self.save_checkpoint(val_loss, model)
        elif score < self.best_score + self.delta:  # want TV208 "taken for the best"
            self.counter += 1
            if self.counter >= self.patience:
                self.early_stop = True
        else:
            self.best_score = score
            self.save_checkpoint(val_loss, model)
            self.counter = 0

    def save_checkpoint(self, val_loss, model):
        torch.save(model.state_dict(), "checkpoint.pt")


class Asks:
    best_score = None

    def __call__(self, val_loss):
        if np.isnan(val_loss):
            return
        score = -val_loss
        if score < self.best_score:  # ok: NaN was asked for
            self.counter += 1
        else:
            self.best_score = score


def plain(epochs, evaluate, model):
    best_loss, bad = float("inf"), 0
    for _ in range(epochs):
        val_loss = evaluate(model)
        if val_loss > best_loss:  # want TV208 "false where val_loss is NaN"
            bad += 1
        else:
            best_loss = val_loss
            torch.save(model, "best.pt")


def other_way(epochs, evaluate, model):
    best_acc = 0
    for _ in range(epochs):
        acc = evaluate(model)
        if acc <= best_acc:  # ok: a share of right answers is never NaN
            continue_ = True
        else:
            best_acc = acc


def early_return(state, loss):
    if state.best_loss is not None and loss >= state.best_loss:  # want TV208 "taken for the best"
        return False
    state.best_loss = loss
    return True


def healthy(epochs, evaluate, model):
    best_loss = float("inf")
    for _ in range(epochs):
        val_loss = evaluate(model)
        if val_loss < best_loss:  # ok: NaN is never the best
            best_loss = val_loss
            torch.save(model, "best.pt")
        else:
            print("no better")


def negated(epochs, evaluate):
    best_loss = float("inf")
    for _ in range(epochs):
        loss = evaluate()
        if not loss < best_loss:  # ok: NaN goes this way
            continue
        best_loss = loss


def of_counts(items):
    best_len = 0
    for item in items:
        n = len(item)
        if n <= best_len:  # ok: a count is never NaN
            continue
        best_len = n


def diverged(loader, step):
    for x in loader:
        loss = step(x)
        if loss > 1e4:  # want TV208 "goes on"
            print("diverged")
            break


def raises(loss, max_loss):
    if loss.item() > max_loss:  # want TV208 "never above max_loss"
        raise RuntimeError("diverged")


def exits(train_loss):
    import sys

    if train_loss > 100:  # want TV208 "never above 100"
        sys.exit(1)


def diverged_asked(loader, step):
    for x in loader:
        loss = step(x)
        if math.isnan(loss) or loss > 1e4:  # ok: NaN is asked for
            break


def diverged_negated(loader, step):
    for x in loader:
        loss = step(x)
        if not (loss <= 1e4):  # ok: holds for NaN
            break


def reached(loader, step, target):
    for x in loader:
        loss = step(x)
        if loss < target:  # ok: NaN reaches no target
            break


def reached_accuracy(epochs, evaluate):
    for _ in range(epochs):
        accuracy = evaluate()
        if accuracy > 0.99:  # ok: the goal, which NaN does not reach
            break


def finite_asked(loader, step):
    for x in loader:
        loss = step(x)
        if not torch.isfinite(loss):
            raise RuntimeError("diverged")
        if loss > 1e4:  # ok: asked above
            break


def by_itself(loader, step):
    for x in loader:
        loss = step(x)
        if loss != loss:
            break
        if loss > 1e4:  # ok: asked above
            break
