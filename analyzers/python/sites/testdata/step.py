# Steps of optimizers, scalers and engines, and what only has their names.
import deepspeed
import gym
import torch
from torch.cuda.amp import GradScaler
from torch.optim import AdamW
from torch.optim.lr_scheduler import CosineAnnealingLR

world = gym.make("cart")
optimizer = AdamW(params)
scaler = GradScaler()
plan = CosineAnnealingLR(optimizer, 10)


def plain(loss, lr_scheduler, warmup, epoch, metric):
    loss.backward()
    optimizer.step()  # want step optimizer
    lr_scheduler.step()  # a learning rate
    lr_scheduler.step(epoch, metric)  # a learning rate
    warmup.step()  # a learning rate
    plan.step()  # a learning rate, by what it is bound to


def scaled(loss):
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)  # a part of the step below
    scaler.step(optimizer)  # want step scaler-step
    scaler.update()  # a part of the step above


def others(prof, env, act, scheduler, noise, t, latents, meter, table, standard_scaler, llm_engine, rows):
    prof.step()  # a profiler
    env.step(act)  # an environment
    world.step(act)  # an environment
    scheduler.step(noise, t, latents)  # diffusion
    meter.update(3)  # no scaler
    table.update(rows)  # a dictionary
    standard_scaler.update(rows)  # scales data
    llm_engine.step()  # inference
    optimizer.state.update(rows)  # a dictionary


def engines(config, loss, net):
    first, _, _, _ = deepspeed.initialize(config)
    first.backward(loss)
    first.step()  # want step engine
    net.backward(loss)
    net.step()  # want step engine
    model_engine.step()  # want step engine


def bound(loss):
    solver = torch.optim.SGD(params, lr=0.1)
    solver.step()  # want step optimizer
    for one in [AdamW(a), AdamW(b)]:
        one.step()  # want step optimizer
    parts[0].step(closure)  # want step optimizer


class MyOptimizer(torch.optim.Optimizer):
    def step(self, closure=None):
        return super().step(closure)  # want step optimizer


class MyScheduler:
    def step(self):
        return super().step()  # no optimizer


class Module:
    def optimizer_step(self):
        self.opt.step()  # want step optimizer

    def fit(self):
        self.optimizer_step()  # a wrapper of this file: the step in it is the site


def frameworks(xm, state, grads, minimizer, fun, tf_optimizer):
    xm.optimizer_step(optimizer)  # want step framework
    state = state.apply_gradients(grads=grads)  # want step framework
    minimizer.minimize(fun)  # numerics, no training
    scipy.optimize.minimize(fun)  # numerics, no training
    tf_optimizer.minimize(fun)  # want step framework


class Averages:
    ema: Optional[optim.ModuleDictEMA] = None
    solver: Optional[optim.AdamW] = None

    def update(self):
        self.ema.step()  # the module that its class comes from says nothing
        self.solver.step()  # want step optimizer


class Several:
    def step(self, meters):
        for op in self.optimizers:
            op.step()  # want step optimizer
        for o in self.optims.values():
            o.step()  # want step optimizer
        for m in meters:
            m.step(3)  # a meter


def handed(accel, bar, state):
    accel.step(state.optimizer_d)  # want step framework
    bar.step(3)  # no optimizer is handed over


class Edit:
    def __init__(self):
        self.lr_opt = self.kind([self.lrs])

    def train(self, diffopt, loss):
        self.lr_opt.step()  # want step optimizer
        diffopt.step(loss)  # want step optimizer
        self.lr_decay.step()  # a scheduler


def updates(params, changes, updater, net, batch):
    params = optax.apply_updates(params, changes)  # want step framework
    net.train_on_batch(batch, batch)  # want step framework
    changes = optimizer.update(changes, params)  # what is to be added
    optimizer.update({"lr": 1})  # a dictionary, perhaps
    return params, changes
