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
    scaler.update()


def exact(scaler, optimizer, loss, skipped):
    scaler.scale(loss).backward()
    scaler.step(optimizer)  # want "^counted: found_inf_per_device is read"
    state = scaler._per_optimizer_states[id(optimizer)].found_inf_per_device
    skipped += sum(v.item() for v in found_inf_per_device.values())
    scaler.update()


def weak(scaler, optimizer, loss, stats):
    before = scaler.get_scale()
    scaler.scale(loss).backward()
    scaler.step(optimizer)  # want "^counted-weak: counted by the scale"
    scaler.update()
    if scaler.get_scale() < before:
        stats.skipped += 1


def only_the_schedule(scaler, optimizer, scheduler, loss):
    before = scaler.get_scale()
    scaler.scale(loss).backward()
    scaler.step(optimizer)  # want "^uncounted: the scale is compared, but only"
    scaler.update()
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


class Counts:
    def run(self, loss):
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)  # want "^counted: _per_optimizer_states is read"
        self.note()
        self.scaler.update()

    def note(self):
        state = self.scaler._per_optimizer_states[id(self.optimizer)]
        found_inf_per_device = state["found_inf_per_device"]
        self.skipped += sum(v.item() for v in found_inf_per_device.values())


class CountsByScale:
    def run(self, loss):
        self.before = self.scaler.get_scale()
        self.scaler.step(self.optimizer)  # want "^counted-weak: counted by the scale"
        self.scaler.update()

    def note(self):
        if self.scaler.get_scale() < self.before:
            self.logger.warning("step skipped")


class CountsAnother:
    def generator(self, loss):
        self.scaler_g.step(self.opt_g)  # want "^uncounted: nothing tells"
        self.scaler_g.update()

    def discriminator(self, loss):
        self.scaler_d.step(self.opt_d)  # want "^counted: step_was_skipped is read"
        self.scaler_d.update()
        if self.opt_d.step_was_skipped:
            self.logger.warning("step skipped")

    def note(self):
        if self.scaler_d.get_scale() < self.before:
            self.logger.warning("step skipped")


class OnlyForTheSchedule:
    def run(self, loss):
        self.optimizer.step()  # want "^uncounted: nothing checks"

    def after(self):
        if not self.accelerator.optimizer_step_was_skipped:
            self.scheduler.step()


class OwnScaler:
    def step(self, optimizer):
        if not self.found_inf_per_device:
            optimizer.step()  # want "^uncounted: found_inf_per_device is read, but only"

    def update(self):
        found_inf = [v for v in self.found_inf_per_device.values()]
        found_inf_combined = found_inf[0]
        for one in found_inf[1:]:
            found_inf_combined += found_inf
        self.scale_by(found_inf_combined)


class TellsOfOverflow:
    def run(self):
        self.optimizer.step()  # want "^counted: has_overflow is read"

    def clip(self, norm):
        overflow = has_overflow(norm)
        if overflow:
            self.log.info("overflow: the step is left out")
        return norm
