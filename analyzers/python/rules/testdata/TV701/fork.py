import multiprocessing
import multiprocessing as mp
import os
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import Process

import torch

device = torch.device("cuda")


def evaluate(queue):
    model = torch.nn.Linear(2, 2).to(device)
    queue.put(model(torch.zeros(1, 2, device="cuda")).sum().item())


def gradients(x):
    loss = (torch.ones(2, requires_grad=True) * x).sum()
    loss.backward()


def clean(text):
    return text.strip().lower()


def helper():
    return torch.zeros(3).cuda()


def worker(rank):
    return helper()


def after_training(model, loader, queue):
    for x in loader:
        model(x).sum().backward()
    p = mp.Process(target=evaluate, args=(queue,))  # want "forked here after this process has used the device: evaluate"
    p.start()


def after_move(model, queue):
    model.to("cuda:0")
    p = Process(target=evaluate, args=(queue,))  # want "forked here after"
    p.start()


def pool(model, xs):
    model.cuda()
    with multiprocessing.Pool(4) as pool:  # want "gradients in it hangs"
        pool.map(gradients, xs)


def executor(loss, xs):
    loss.backward()
    with ProcessPoolExecutor(max_workers=2) as ex:  # want "worker in it hangs"
        ex.map(worker, xs)


def fork_context(loss, queue):
    loss.backward()
    ctx = mp.get_context("fork")
    ctx.Process(target=evaluate, args=(queue,)).start()  # want "evaluate in it hangs"


def by_hand(loss):
    loss.backward()
    pid = os.fork()  # want "what follows in it hangs"
    if pid == 0:
        gradients(2)


def moves(model):
    model.cuda()


def through_a_function(model, queue):
    moves(model)
    mp.Process(target=evaluate, args=(queue,)).start()  # want "forked here"


def before(model, loader, queue):
    p = mp.Process(target=evaluate, args=(queue,))  # ok: the device is used after the fork alone
    p.start()
    for x in loader:
        model(x).sum().backward()


def text_only(model, docs):
    model.to(device)
    with mp.Pool(8) as pool:  # ok: the child works on text
        return pool.map(clean, docs)


def spawned(model, queue):
    model.to(device)
    ctx = mp.get_context("spawn")
    ctx.Process(target=evaluate, args=(queue,)).start()  # ok: spawned


def spawned_directly(model, queue):
    model.to(device)
    mp.get_context("forkserver").Process(target=evaluate, args=(queue,)).start()  # ok: from a server that used nothing


def threads(model, xs):
    model.to(device)
    with ThreadPoolExecutor() as ex:  # ok: threads share the runtime
        ex.map(gradients, xs)


def executor_spawned(loss, xs):
    loss.backward()
    with ProcessPoolExecutor(mp_context=mp.get_context("spawn")) as ex:  # ok: spawned
        ex.map(worker, xs)


def on_the_host(model, queue):
    model.to("cpu")
    mp.Process(target=evaluate, args=(queue,)).start()  # ok: this process has used no device


def either(model, queue, parallel):
    if parallel:
        mp.Process(target=evaluate, args=(queue,)).start()  # ok: the other branch uses the device
    else:
        model.cuda()


def only_asks(queue):
    if torch.cuda.is_available():
        mp.Process(target=evaluate, args=(queue,)).start()  # ok: asking is no use


def unknown(model, queue, target):
    model.cuda()
    mp.Process(target=target, args=(queue,)).start()  # ok: what the child does is not known


def child_exec(loss):
    loss.backward()
    pid = os.fork()  # ok: the child becomes another program
    if pid == 0:
        os.execv("/bin/true", ["true"])
