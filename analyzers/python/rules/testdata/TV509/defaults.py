import math

import numpy as np
import torch


def absent(metrics, results, history, eval_logs):
    a = metrics.get("loss", 0.0)  # want TV509 "where loss is missing this is 0.0"
    b = results.get("eval_accuracy", 0)  # want TV509 "where eval_accuracy is missing this is 0"
    c = eval_logs.get("val/f1", 1.0)  # want TV509 "reads as a measurement"
    return a, b, c


# O18: the average precision of a split without ground truth.
def no_number(ap, val_loss, ious):
    if math.isnan(ap):
        ap = 0.0  # want TV509 "ap that is no number is replaced by one"
    val_loss = 0.0 if torch.isnan(val_loss) else val_loss  # want TV509 "val_loss that is no number"
    mean_iou = np.nan_to_num(ious.mean_iou)  # want TV509 "mean_iou that is no number is replaced by 0"
    return ap, val_loss, mean_iou


def kept_number(acc):
    return acc if not np.isnan(acc) else 0  # want TV509 "acc that is no number"


def of_nothing(right, total, losses):
    accuracy = right / total if total > 0 else 0.0  # want TV509 "where nothing was counted accuracy is 0.0"
    val_loss = sum(losses) / len(losses) if losses else 0  # want TV509 "where nothing was counted val_loss is 0"
    return {"accuracy": accuracy, "acc5": right / max(total, 1)}  # want TV509 "where nothing was counted acc5 is 0"


def report(right, total):
    return {"accuracy": right / max(1, total), "n": total}  # want TV509 "where nothing was counted accuracy is 0"


# Its twin: what is missing stays missing.
def healthy(metrics, results, config, counts, ap, loss, x, total, right):
    a = metrics.get("loss")  # ok: None says that it is missing
    b = metrics.get("loss", float("nan"))  # ok: NaN is no measurement
    c = metrics.get("loss", float("inf"))  # ok: nobody takes it for one
    d = metrics.get("loss", -1)  # ok: a mark
    e = config.get("loss", 1.0)  # ok: a setting
    f = counts.get("loss", 0) + 1  # ok: a count
    g = results.get("step", 0)  # ok: no metric
    h = metrics.get("best_loss", 1e9)  # ok: nobody takes it for one
    if math.isnan(ap):
        raise ValueError("no ground truth")  # ok: it ends there
    if math.isnan(loss):
        loss = None  # ok: it stays missing
    y = np.nan_to_num(x)  # ok: no metric
    z = 0.0 if math.isnan(x) else x  # ok: no metric
    accuracy = right / total if total > 0 else float("nan")  # ok: NaN is no measurement
    share = right / max(total, 1)  # ok: no metric
    lr = 1.0 / total if total else 0.0  # ok: no metric
    if metrics.get("loss", 0) > 3:  # ok: only asked
        print("high")
    return a, b, c, d, e, f, g, h, y, z, accuracy, share, lr


def window(loader, model, losses, optimizer):
    for x in loader:
        model(x).backward()
        optimizer.step()
        avg_loss = sum(losses) / len(losses) if losses else 0.0  # ok: a window over the training
        print(avg_loss)


def weighted(mean_loss, weight):
    if weight == 0:
        mean_loss = torch.nan_to_num(mean_loss)  # ok: its weight is 0
    return mean_loss * weight


def parts(losses, num_pos, f1_sum, gold_list, wins, n):
    loss = losses.sum() / max(1, num_pos)  # ok: what the loss is defined by
    f1 = f1_sum / max(1, len(gold_list))  # ok: of one item
    return {"loss": loss, "f1": f1, "loss_rate": 1 - wins / n if n else 0.0}


def of_a_list(losses, scores):
    val_loss = np.mean(losses) if losses else 0.0  # want TV509 "where nothing was counted val_loss is 0.0"
    accuracy = float(np.mean(scores)) if len(scores) > 0 else 0.0  # want TV509 "where nothing was counted accuracy is 0.0"
    spread = np.std(scores) if scores else 0.0  # ok: no mean
    mean_iou = np.mean(losses) if losses else None  # ok: it stays missing
    return val_loss, accuracy, spread, mean_iou


def by_key(metrics, logs):
    if math.isnan(metrics["val_loss"]):
        metrics["val_loss"] = 0.0  # want TV509 "val_loss that is no number"
    if math.isnan(metrics["val_acc"]):
        logs["other"] = 0.0  # ok: something else
    return metrics


def settings(eval_kwargs, test_args, eval_config):
    verbose_loss = eval_kwargs.get("verbose_loss", 1)  # ok: a setting
    score = test_args.get("score", 0.5)  # ok: a setting
    loss = eval_config.get("loss", 0)  # ok: a setting
    return verbose_loss, score, loss


def boxes(inter, union, hits, found, items):
    iou = inter / union if union > 0 else 0.0  # ok: two empty boxes
    precision = hits / len(found) if len(found) > 0 else 0.0  # ok: nothing was found, of however many items
    accuracy = hits / len(items) if len(items) > 0 else 0.0  # want TV509 "nothing was counted"
    return iou, precision, accuracy
