import math
import sys
import torch
from torch.nn.utils import clip_grad_norm_


def bare(optimizer, loss):
    loss.backward()
    optimizer.step()  # want "^uncounted: nothing checks its loss"


def checked(optimizer, loss):
    if not torch.isfinite(loss):
        raise FloatingPointError("loss is not finite")
    loss.backward()
    optimizer.step()  # want "^counted: its loss or gradient norm is checked"


def checked_the_other_way(optimizer, loss):
    if torch.isnan(loss).any() or torch.isinf(loss).any():
        sys.exit("loss is not finite")
    loss.backward()
    optimizer.step()  # want "^counted: its loss"


def checked_as_number(optimizer, loss):
    loss.backward()
    if not math.isfinite(loss.item()):
        print("loss is not finite, stopping")
        sys.exit(1)
    optimizer.step()  # want "^counted: its loss"


def skips(optimizer, losses):
    for loss in losses:
        if not torch.isfinite(loss):
            continue
        loss.backward()
        optimizer.step()  # want "^uncounted: nothing checks"


def checks_another(optimizer, loss, lr):
    if not math.isfinite(lr):
        raise ValueError(lr)
    loss.backward()
    optimizer.step()  # want "^uncounted: nothing checks"


def checked_behind(optimizer, loss):
    loss.backward()
    optimizer.step()  # want "^uncounted: nothing checks"
    if not torch.isfinite(loss):
        raise FloatingPointError("loss is not finite")


def norm(optimizer, model, loss):
    loss.backward()
    total = clip_grad_norm_(model.parameters(), 1.0)
    if not torch.isfinite(total):
        raise FloatingPointError("gradients are not finite")
    optimizer.step()  # want "^counted: its loss or gradient norm"


def norm_raises(optimizer, model, loss):
    loss.backward()
    clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)
    optimizer.step()  # want "^counted: its gradient norm"


def norm_does_not_raise(optimizer, model, loss):
    loss.backward()
    clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=False)
    optimizer.step()  # want "^uncounted: nothing checks"


def scaled(scaler, optimizer, loss):
    scaler.scale(loss).backward()
    scaler.step(optimizer)  # want "^uncounted: nothing tells"
    scaler.update()  # want "^uncounted: nothing tells"


def exact(scaler, optimizer, loss, skipped):
    scaler.scale(loss).backward()
    scaler.step(optimizer)  # want "^counted: found_inf_per_device is read"
    state = scaler._per_optimizer_states[id(optimizer)].found_inf_per_device
    skipped += sum(v.item() for v in found_inf_per_device.values())
    scaler.update()  # want "^counted: found_inf_per_device is read"


def weak(scaler, optimizer, loss, stats):
    before = scaler.get_scale()
    scaler.scale(loss).backward()
    scaler.step(optimizer)  # want "^counted-weak: counted by the scale"
    scaler.update()  # want "^counted-weak: "
    if scaler.get_scale() < before:
        stats.skipped += 1


def only_the_schedule(scaler, optimizer, scheduler, loss):
    before = scaler.get_scale()
    scaler.scale(loss).backward()
    scaler.step(optimizer)  # want "^uncounted: the scale is compared, but only"
    scaler.update()  # want "^uncounted: the scale is compared, but only"
    ran = before <= scaler.get_scale()
    if ran:
        scheduler.step()


def accelerated(accelerator, optimizer, scheduler, loss, log):
    accelerator.backward(loss)
    optimizer.step()  # want "^counted: optimizer_step_was_skipped is read"
    if accelerator.optimizer_step_was_skipped:
        log.warning("step skipped")


def accelerated_schedule(accelerator, optimizer, scheduler, loss):
    accelerator.backward(loss)
    optimizer.step()  # want "^uncounted: optimizer_step_was_skipped is read, but only"
    if not accelerator.optimizer_step_was_skipped:
        scheduler.step()


def megatron(optimizer, writer):
    update_successful, grad_norm, zeros = optimizer.step()  # want "^counted: update_successful is read"
    writer.add_scalar("skipped", not update_successful)


def fairseq(optimizer, logger):
    try:
        optimizer.step()  # want "^counted: a handler reports its overflow"
    except OverflowError as e:
        logger.info("gradient overflow, ignoring gradient: %s", e)
