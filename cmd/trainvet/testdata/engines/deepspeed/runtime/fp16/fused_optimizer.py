"""Half-precision parameters beside flat ones in float32, which the optimizer has."""

import torch
from torch._utils import _flatten_dense_tensors, _unflatten_dense_tensors


class FP16_Optimizer:
    def __init__(self, init_optimizer, initial_dynamic_scale=2**16):
        self.optimizer = init_optimizer
        self.cur_scale, self.overflow = float(initial_dynamic_scale), False
        self.fp16_groups, self.fp32_groups_flat = [], []
        for group in self.optimizer.param_groups:
            self.fp16_groups.append(list(group["params"]))
            flat = _flatten_dense_tensors([p.detach() for p in group["params"]]).float()
            flat.requires_grad = True
            self.fp32_groups_flat.append(flat)
            group["params"] = [flat]

    @property
    def param_groups(self):
        return self.optimizer.param_groups

    def backward(self, loss, create_graph=False, retain_graph=False):
        (loss.float() * self.cur_scale).backward(create_graph=create_graph, retain_graph=retain_graph)

    def zero_grad(self, set_to_none=True):
        for group in self.fp16_groups:
            for p in group:
                p.grad = None

    def step(self, closure=None):
        self.overflow = any(not torch.isfinite(p.grad).all() for group in self.fp16_groups for p in group if p.grad is not None)
        scale = self.cur_scale
        if self.overflow:
            self.cur_scale = max(scale / 2, 1.0)
            return self.overflow
        for group, flat in zip(self.fp16_groups, self.fp32_groups_flat):
            flat.grad = _flatten_dense_tensors([p.grad.float() for p in group]) / scale
        self.update()
        for group, flat in zip(self.fp16_groups, self.fp32_groups_flat):
            flat.grad = None
            for p, q in zip(group, _unflatten_dense_tensors(flat.detach(), group)):
                p.data.copy_(q)
        return self.overflow

    def update(self):
        self.optimizer.step()
