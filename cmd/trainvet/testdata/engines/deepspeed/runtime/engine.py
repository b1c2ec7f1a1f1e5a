import torch

from deepspeed.runtime.fp16.fused_optimizer import FP16_Optimizer
from deepspeed.runtime.zero.stage_1_and_2 import DeepSpeedZeroOptimizer


class DeepSpeedEngine(torch.nn.Module):
    def __init__(self, args, model, optimizer=None, lr_scheduler=None, config=None):
        super().__init__()
        self.module, self.lr_scheduler = model, lr_scheduler
        self.accumulation = config.get("gradient_accumulation_steps", 1)
        kind = DeepSpeedZeroOptimizer if config.get("zero_optimization") else FP16_Optimizer
        self.optimizer = kind(optimizer, initial_dynamic_scale=config["fp16"]["initial_scale"]) if config.get("fp16") else optimizer
        self.global_steps = self.micro_steps = self.skipped_steps = 0
        self._step_applied = False

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)

    def is_gradient_accumulation_boundary(self):
        return (self.micro_steps + 1) % self.accumulation == 0

    def was_step_applied(self):
        return self._step_applied

    def backward(self, loss, release_loss=False, retain_graph=False, scale_wrt_gas=True):
        loss = loss / self.accumulation
        if hasattr(self.optimizer, "backward"):
            self.optimizer.backward(loss, retain_graph=retain_graph)
        else:
            loss.backward(retain_graph=retain_graph)
        return loss

    def _take_model_step(self, lr_kwargs, block_eigenvalue={}):
        self.optimizer.step()
        self.optimizer.zero_grad()
        overflow = getattr(self.optimizer, "overflow", False)
        self._step_applied = not overflow
        if overflow:
            self.skipped_steps += 1
        elif self.lr_scheduler is not None:
            self.lr_scheduler.step(**(lr_kwargs or {}))
        self.global_steps += 1

    def step(self, lr_kwargs=None):
        self._step_applied = False
        if self.is_gradient_accumulation_boundary():
            self._take_model_step(lr_kwargs)
        self.micro_steps += 1
