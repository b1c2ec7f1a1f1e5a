from torch.cuda.amp import GradScaler


class Manual:
    def __init__(self):
        self.scaler = GradScaler()

    def backward(self, loss):
        self.scaler.scale(loss).backward()  # ok: unscaled below

    def step(self):
        self.scaler.unscale_(self.optimizer)
        self.optimizer.step()
