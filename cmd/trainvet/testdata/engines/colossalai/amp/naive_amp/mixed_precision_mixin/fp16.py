from abc import abstractmethod


class FP16MixedPrecisionMixin:
    def __init__(self, initial_scale=2**16):
        self.loss_scale = float(initial_scale)

    @abstractmethod
    def check_local_overflow(self): ...

    def pre_backward(self, loss):
        return self.loss_scale * loss

    def should_skip_step(self):
        found_inf = self.check_local_overflow()
        if found_inf:
            self.loss_scale /= 2
        return found_inf

    def get_grad_div_scale(self):
        return self.loss_scale
