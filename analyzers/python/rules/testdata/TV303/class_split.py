import torch


class Split:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.scaler = torch.cuda.amp.GradScaler()

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def step(self):
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)  # want TV303 "still scaled"
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()


class Right:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.scaler = torch.cuda.amp.GradScaler()

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def step(self):
        self.scaler.unscale_(self.optimizer)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)  # ok: unscaled before
        self.scaler.step(self.optimizer)
        self.scaler.update()


class Elsewhere:
    def __init__(self, model, optimizer):
        self.scaler = torch.cuda.amp.GradScaler()

    def backward(self, loss):
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.optimizer)

    def step(self):
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)  # ok: unscaled in the other method
        self.scaler.step(self.optimizer)
        self.scaler.update()


class Arms:
    def __init__(self, model, optimizer):
        self.scaler = torch.cuda.amp.GradScaler()

    def backward(self, loss):
        if self.amp:
            self.scaler.scale(loss).backward()
        else:
            loss.backward()

    def step(self):
        if self.amp:
            self.scaler.step(self.optimizer)
            self.scaler.update()
        else:
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)  # ok: the arm without a scaler
            self.optimizer.step()
