"""The optimizer is called once for each of its groups, with that group alone."""

from deepspeed.runtime.fp16.fused_optimizer import FP16_Optimizer


class DeepSpeedZeroOptimizer(FP16_Optimizer):
    def update(self):
        for group_no in range(len(self.optimizer.param_groups)):
            self._optimizer_step(group_no)

    def _optimizer_step(self, group_no):
        groups = self.optimizer.param_groups
        self.optimizer.param_groups = [groups[group_no]]
        self.optimizer.step()
        self.optimizer.param_groups = groups
