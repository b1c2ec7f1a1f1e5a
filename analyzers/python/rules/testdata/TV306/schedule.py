import torch
from torch.cuda.amp import GradScaler
from torch.optim.lr_scheduler import OneCycleLR, ReduceLROnPlateau


def plain(model, loader, optimizer, scheduler, scaler):
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)
        scaler.update()
        scheduler.step()  # want TV306 "runs ahead"


def made(model, loader, optimizer):
    scaler = GradScaler()
    cycle = OneCycleLR(optimizer, max_lr=0.1, total_steps=100)
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)
        scaler.update()
        cycle.step()  # want TV306 "cycle"


def accumulated(model, loader, optimizer, lr_scheduler, scaler, n):
    for i, x in enumerate(loader):
        scaler.scale(model(x)).backward()
        if (i + 1) % n == 0:
            scaler.step(optimizer)
            scaler.update()
            lr_scheduler.step()  # want TV306 "lr_scheduler"


class Trainer:
    def train(self, loader):
        for x in loader:
            self.scaler.scale(self.model(x)).backward()
            self.scaler.unscale_(self.optimizer)
            self.scaler.step(self.optimizer)
            self.scaler.update()
            if self.use_scheduler:
                self.scheduler.step()  # want TV306 "self.scheduler"


def two(model, loader, g, d, scheduler_g, scheduler_d, scaler):
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.step(g)
        scaler.step(d)
        scaler.update()
        scheduler_g.step()  # want TV306 "scheduler_g"
        scheduler_d.step()  # want TV306 "scheduler_d"


def counted(model, loader, optimizer, warmup_scheduler, scaler):
    for i, x in enumerate(loader):
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)
        scaler.update()
        warmup_scheduler.step(i)  # want TV306 "warmup_scheduler"


def asked(model, loader, optimizer, scheduler, scaler):
    for x in loader:
        scaler.scale(model(x)).backward()
        before = scaler.get_scale()
        scaler.step(optimizer)
        scaler.update()
        if scaler.get_scale() >= before:
            scheduler.step()  # ok: only when the update happened


def flagged(model, loader, optimizer, scheduler, scaler, stepped):
    for x in loader:
        scaler.scale(model(x)).backward()
        skipped = not stepped(scaler, optimizer)
        scaler.step(optimizer)
        scaler.update()
        if not skipped:
            scheduler.step()  # ok: asked


def per_epoch(model, epochs, loader, optimizer, scheduler, scaler):
    for _ in range(epochs):
        for x in loader:
            scaler.scale(model(x)).backward()
            scaler.step(optimizer)
            scaler.update()
        scheduler.step()  # ok: once an epoch, some step was made


def noise(model, latents, noise_scheduler, optimizer, scaler, loader):
    for t in loader:
        scaler.scale(model(latents)).backward()
        scaler.step(optimizer)
        scaler.update()
        latents = noise_scheduler.step(model(latents), t, latents)  # ok: of a diffusion


def plateau(model, loader, optimizer, scaler):
    watch = ReduceLROnPlateau(optimizer)
    for x in loader:
        loss = model(x)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        watch.step(loss)  # ok: it watches a metric


def arms(model, loader, optimizer, scheduler, scaler):
    for x in loader:
        if scaler is not None:
            scaler.scale(model(x)).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            model(x).backward()
            optimizer.step()
            scheduler.step()  # ok: the arm without a scaler


def off(model, loader, optimizer, scheduler):
    scaler = GradScaler(enabled=False)
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)
        scaler.update()
        scheduler.step()  # ok: a scaler that is off skips nothing


def no_scaler(model, loader, optimizer, scheduler):
    for x in loader:
        model(x).backward()
        optimizer.step()
        scheduler.step()  # ok: nothing is skipped


def before(model, loader, optimizer, scheduler, scaler, warm):
    for _ in range(warm):
        scheduler.step()  # ok: a loop of its own
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)
        scaler.update()


def single(loss, optimizer, scheduler, scaler):
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    scheduler.step()  # want TV306 "runs ahead"


def absolute(model, loader, optimizer, scaler, scheduler, epoch):
    for i, x in enumerate(loader):
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)
        scaler.update()
        scheduler.step(epoch + i / len(loader))  # ok: the rate is that of the place it is told, however often it is told
