import torch

from .mixed_precision_mixin.fp16 import FP16MixedPrecisionMixin


class NaiveFP16MixedPrecisionMixin(FP16MixedPrecisionMixin):
    def __init__(self, working_params, initial_scale=2**16):
        super().__init__(initial_scale)
        self.params = working_params

    def check_local_overflow(self):
        return any(not torch.isfinite(p.grad).all() for p in self.params if p.grad is not None)


class OptimizerWrapper:
    def __init__(self, optim):
        self.optim = optim

    @property
    def param_groups(self):
        return self.optim.param_groups


class MixedPrecisionOptimizer(OptimizerWrapper):
    def __init__(self, optim, precision="fp16", initial_scale=2**16):
        super().__init__(optim)
        self.mixed_precision = NaiveFP16MixedPrecisionMixin([p for g in optim.param_groups for p in g["params"]], initial_scale)
        self.master_to_working_map = {}
        for group in optim.param_groups:
            masters = []
            for p in group["params"]:
                master = p.detach().float().requires_grad_()
                self.master_to_working_map[master] = p
                masters.append(master)
            group["params"] = masters

    def backward(self, loss, inputs=None, retain_graph=False, **kwargs):
        self.mixed_precision.pre_backward(loss).backward(inputs=inputs, retain_graph=retain_graph, **kwargs)

    def zero_grad(self, *args, **kwargs):
        for p in self.master_to_working_map.values():
            p.grad = None

    def step(self, *args, **kwargs):
        if self.mixed_precision.should_skip_step():
            self.zero_grad()
            return
        for master, p in self.master_to_working_map.items():
            master.grad = p.grad.data.float() / self.mixed_precision.get_grad_div_scale()
            p.grad = None
        self.optim.step(*args, **kwargs)
        for master, p in self.master_to_working_map.items():
            p.data.copy_(master.data)
