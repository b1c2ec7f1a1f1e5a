from abc import ABC, abstractmethod

import torch


class MegatronOptimizer(ABC):
    def __init__(self, optimizer, config=None, init_state_fn=lambda x: None):
        self.optimizer, self.config, self.is_stub_optimizer = optimizer, config, optimizer is None

    @property
    def param_groups(self):
        return [] if self.is_stub_optimizer else self.optimizer.param_groups

    @abstractmethod
    def step(self): ...

    @abstractmethod
    def prepare_grads(self): ...

    @abstractmethod
    def step_with_ready_grads(self): ...

    def scale_loss(self, loss):
        return self.get_loss_scale() * loss


class MixedPrecisionOptimizer(MegatronOptimizer):
    def __init__(self, optimizer, config=None, scale=2.0**16, init_state_fn=lambda x: None):
        super().__init__(optimizer, config, init_state_fn)
        self.scale = torch.tensor([scale])
        self.groups = []
        for group in [] if self.is_stub_optimizer else optimizer.param_groups:
            self.groups.append(list(group["params"]))
            group["params"] = [p.detach().clone().float().requires_grad_() for p in group["params"]]

    def get_loss_scale(self):
        return self.scale

    def zero_grad(self, set_to_none=True):
        for p in (p for group in self.groups for p in group):
            p.grad = None

    @torch.no_grad()
    def prepare_grads(self):
        found_inf = False
        for group, main in zip(self.groups, self.param_groups):
            for p, q in zip(group, main["params"]):
                q.grad = p.grad.float() / self.scale
                found_inf = found_inf or not torch.isfinite(q.grad).all()
        if found_inf:
            self.scale = self.scale / 2
        return bool(found_inf)

    @torch.no_grad()
    def step_with_ready_grads(self):
        if not self.is_stub_optimizer:
            self.optimizer.step()
        for group, main in zip(self.groups, self.param_groups):
            for p, q in zip(group, main["params"]):
                p.copy_(q)
        return True

    @torch.no_grad()
    def step(self):
        if self.prepare_grads():
            return False, None, None
        return self.step_with_ready_grads(), 0.0, 0


class ChainedOptimizer(MegatronOptimizer):
    def __init__(self, chained_optimizers):
        self.chained_optimizers = chained_optimizers

    @property
    def optimizer(self):
        return self.chained_optimizers[0].optimizer

    @property
    def param_groups(self):
        return [g for o in self.chained_optimizers for g in o.param_groups]

    def get_loss_scale(self):
        return self.chained_optimizers[0].get_loss_scale()

    def zero_grad(self, set_to_none=True):
        for o in self.chained_optimizers:
            o.zero_grad(set_to_none)

    def prepare_grads(self):
        return any([o.prepare_grads() for o in self.chained_optimizers])

    def step_with_ready_grads(self):
        return all([o.step_with_ready_grads() for o in self.chained_optimizers])

    @torch.no_grad()
    def step(self):
        if self.prepare_grads():
            return False, None, None
        return self.step_with_ready_grads(), 0.0, None
