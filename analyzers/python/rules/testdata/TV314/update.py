import torch


def two(model, loader, g_opt, d_opt, scaler):
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.step(g_opt)
        scaler.update()  # want TV314 "between the backward and the step of d_opt"
        scaler.step(d_opt)
        scaler.update()


def micro(model, loader, optimizer, scaler, n):
    for i, x in enumerate(loader):
        scaler.scale(model(x) / n).backward()
        scaler.update()  # want TV314 "optimizer"
        if (i + 1) % n == 0:
            scaler.step(optimizer)
            optimizer.zero_grad()


def losses(model, loader, g_opt, d_opt, scaler):
    for x in loader:
        scaler.scale(model.d(x)).backward()
        scaler.scale(model.g(x)).backward()
        scaler.step(d_opt)
        scaler.update()  # want TV314 "g_opt"
        scaler.step(g_opt)
        scaler.update()


class Trainer:
    def step(self, loss):
        self.scaler.scale(loss).backward()
        self.scaler.update()  # want TV314 "self.optimizer"
        self.scaler.step(self.optimizer)
        self.optimizer.zero_grad()


def early(model, loader, optimizer, scaler, log):
    for x in loader:
        scaler.scale(model(x)).backward()
        if log:
            scaler.update()  # want TV314 "optimizer"
        scaler.step(optimizer)
        optimizer.zero_grad()
        scaler.update()


def three(loss, a_opt, b_opt, c_opt, scaler):
    scaler.scale(loss).backward()
    scaler.step(a_opt)
    scaler.step(b_opt)
    scaler.update()  # want TV314 "c_opt"
    scaler.step(c_opt)


def healthy(model, loader, g_opt, d_opt, scaler):
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.step(g_opt)
        scaler.step(d_opt)
        scaler.update()  # ok: once, behind all steps


def turns(model, loader, g_opt, d_opt, scaler):
    for x in loader:
        d_opt.zero_grad()
        scaler.scale(model.d(x)).backward()
        scaler.step(d_opt)
        scaler.update()  # ok: the generator's loss is scaled behind it
        g_opt.zero_grad()
        scaler.scale(model.g(x)).backward()
        scaler.step(g_opt)
        scaler.update()


def own(model, loader, g_opt, d_opt, g_scaler, d_scaler):
    for x in loader:
        g_scaler.scale(model.g(x)).backward()
        d_scaler.scale(model.d(x)).backward()
        g_scaler.step(g_opt)
        g_scaler.update()  # ok: the other one has a scaler of its own
        d_scaler.step(d_opt)
        d_scaler.update()


def single(model, loader, optimizer, scaler):
    for x in loader:
        optimizer.zero_grad()
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)
        scaler.update()  # ok: behind the step


def accumulating(model, loader, optimizer, scaler, n):
    for i, x in enumerate(loader):
        scaler.scale(model(x) / n).backward()
        if (i + 1) % n == 0:
            scaler.step(optimizer)
            scaler.update()  # ok: with the step
            optimizer.zero_grad()


def skipping(model, loader, optimizer, scaler, bad):
    for x in loader:
        optimizer.zero_grad()
        scaler.scale(model(x)).backward()
        scaler.unscale_(optimizer)
        if bad(model):
            scaler.update()  # ok: the next turn clears what was scaled
            continue
        scaler.step(optimizer)
        scaler.update()


def arms(model, loader, optimizer, scaler, first):
    for x in loader:
        scaler.scale(model(x)).backward()
        if first:
            scaler.step(optimizer)
            scaler.update()  # ok: the other arm is not taken
        else:
            scaler.step(optimizer)
            scaler.update()
        optimizer.zero_grad()


def several(model, loader, optimizers, scaler):
    for x in loader:
        scaler.scale(model(x)).backward()
        for optimizer in optimizers:
            scaler.step(optimizer)
        scaler.update()  # ok: behind all of them


def bars(model, loader, optimizer, scaler, pbar):
    for x in loader:
        scaler.scale(model(x)).backward()
        pbar.update()  # ok: no scaler
        scaler.step(optimizer)
        scaler.update()


def off(loss, optimizer, GradScaler):
    scaler = GradScaler(enabled=False)
    scaler.scale(loss).backward()
    scaler.update()  # ok: it is off
    scaler.step(optimizer)


def twice(model, loader, optimizer, scheduler, scaler):
    for x in loader:
        optimizer.zero_grad()
        scaler.scale(model(x)).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()  # want `two steps of optimizer on the same gradients`
        scaler.step(optimizer)
        scaler.update()
        scheduler.step()


def pairs(model, loader, opt_g, opt_z, scaler):
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.step(opt_g); scaler.step(opt_z); scaler.update()  # want `two steps of opt_g`
        scaler.step(opt_g); scaler.step(opt_z); scaler.update()
        opt_g.zero_grad()
        opt_z.zero_grad()


def turns(model, loader, optimizer, scaler):
    for x in loader:
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)
        scaler.update()  # ok: the next step follows another backward
        optimizer.zero_grad()
        scaler.scale(model(x)).backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()


def by_helper(train, opt, scaler, n):
    for _ in range(n):
        train("d")
        scaler.step(opt)
        scaler.update()  # ok: whoever is called makes new gradients
        train("d")
        scaler.step(opt)
        scaler.update()


def behind_loop(model, loader, optimizer, scaler, every):
    seen = 0
    for x in loader:
        scaler.scale(model(x)).backward()
        seen += 1
        if seen % every == 0:
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
    if seen % every:
        scaler.update()  # want `updated between the backward and the step`
        scaler.step(optimizer)
        optimizer.zero_grad()
