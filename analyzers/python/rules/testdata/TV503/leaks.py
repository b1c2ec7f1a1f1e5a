import sys

import torch
import torch.nn.functional as F
from torch import nn, optim


def validate(model, loader):
    model.eval()
    with torch.no_grad():
        return sum(F.cross_entropy(model(x), y).item() for x, y in loader) / len(loader)


def validate_and_restore(model, loader):
    training = model.training
    model.eval()
    total = sum(F.cross_entropy(model(x), y).item() for x, y in loader)
    model.train(training)
    return total


# O07: validation within the batch loop, train() only at the head of the epoch.
def eval_leak(model, loader, val_loader, opt, epochs):
    for epoch in range(epochs):
        model.train()
        for i, (x, y) in enumerate(loader):
            opt.zero_grad()
            F.cross_entropy(model(x), y).backward()
            opt.step()
            if i % 100 == 0:
                model.eval()  # want TV503 "from here model is in evaluation mode"
                print(F.cross_entropy(model(x), y))


# Its twin.
def restored(model, loader, val_loader, opt, epochs):
    for epoch in range(epochs):
        model.train()
        for i, (x, y) in enumerate(loader):
            opt.zero_grad()
            F.cross_entropy(model(x), y).backward()
            opt.step()
            if i % 100 == 0:
                model.eval()  # ok: switched back three lines on
                print(F.cross_entropy(model(x), y))
                model.train()


def by_callee(model, loader, val_loader, opt, epochs):
    model.train()
    for epoch in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            F.cross_entropy(model(x), y).backward()
            opt.step()
        print(validate(model, val_loader))  # want TV503 "from here model is in evaluation mode"


def callee_restores(model, loader, val_loader, opt, epochs):
    model.train()
    for epoch in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            F.cross_entropy(model(x), y).backward()
            opt.step()
        print(validate_and_restore(model, val_loader))  # ok: the callee restores the mode


def head_of_loop(model, loader, val_loader, opt, epochs):
    for epoch in range(epochs):
        model.train()
        for x, y in loader:
            F.cross_entropy(model(x), y).backward()
            opt.step()
            opt.zero_grad()
        print(validate(model, val_loader))  # ok: the next epoch begins with train()


def never_on(loader, val_loader, epochs):
    net = nn.Sequential(nn.Linear(8, 8), nn.Dropout(), nn.Linear(8, 2))
    opt = optim.Adam(net.parameters())
    for epoch in range(epochs):
        for x, y in loader:
            F.cross_entropy(net(x), y).backward()
            opt.step()
            opt.zero_grad()
        net.eval()  # want TV503 "from here net is in evaluation mode"
        print(sum(net(x).argmax(-1).eq(y).sum() for x, y in val_loader))


def wrapped(ddp_model, loader, val_loader, opt, scaler):
    ddp_model.train()
    while True:
        for x, y in loader:
            scaler.scale(F.cross_entropy(ddp_model(x), y)).backward()
            scaler.step(opt)
            scaler.update()
        validate(ddp_model.module, val_loader)  # want TV503 "from here ddp_model is in evaluation mode"


class Trainer:
    def __init__(self, model, opt, loader, val_loader):
        self.model, self.opt, self.loader, self.val_loader = model, opt, loader, val_loader

    def train(self, epochs):
        self.model.train()
        for epoch in range(epochs):
            self.train_epoch()
            self.validate()  # want TV503 "from here self.model is in evaluation mode"

    def train_right(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            self.train_epoch()
            self.validate()  # ok: train() is called before each epoch

    def train_epoch(self):
        for x, y in self.loader:
            F.cross_entropy(self.model(x), y).backward()
            self.opt.step()
            self.opt.zero_grad()

    def validate(self):
        self.model.eval()
        return [self.model(x) for x, _ in self.val_loader]


class Switching:
    def __init__(self, model, opt):
        self.model, self.opt = model, opt

    def fit(self, loaders, epochs):
        for epoch in range(epochs):
            self.train_epoch(loaders["train"])
            self.evaluate(loaders["val"])  # ok: train_epoch switches training on

    def train_epoch(self, loader):
        self.model.train()
        for x, y in loader:
            F.cross_entropy(self.model(x), y).backward()
            self.opt.step()

    def evaluate(self, loader):
        self.model.eval()
        return [self.model(x) for x, _ in loader]


def phases(model, loaders, opt, epochs):
    for epoch in range(epochs):
        for phase in ["train", "val"]:
            if phase == "train":
                model.train()
            else:
                model.eval()  # ok: the flag that chooses the mode chooses the backward too
            for x, y in loaders[phase]:
                loss = F.cross_entropy(model(x), y)
                if phase == "train":
                    loss.backward()
                    opt.step()


def phases_by_value(model, loaders, opt, epochs):
    model.train()
    for epoch in range(epochs):
        for phase in ["train", "val"]:
            if phase == "train":
                model.train()
            if phase == "val":
                model.eval()  # ok: no backward in this phase
            for x, y in loaders[phase]:
                loss = F.cross_entropy(model(x), y)
                if phase == "train":
                    loss.backward()
                    opt.step()


def frozen_part(model, loader, opt):
    model.train()
    model.backbone.eval()  # ok: a part that stays frozen
    for x, y in loader:
        model.backbone.bn.eval()  # ok: batch statistics that are frozen on purpose
        F.cross_entropy(model(x), y).backward()
        opt.step()


def teacher_and_student(student, teacher, loader, opt):
    for x, _ in loader:
        student.train()
        teacher.eval()  # ok: the teacher never trains
        F.mse_loss(student(x), teacher(x).detach()).backward()
        opt.step()


def early_exit(model, loader, opt):
    model.train()
    for x, y in loader:
        F.cross_entropy(model(x), y).backward()
        opt.step()
        if x.sum() > 0:
            model.eval()  # ok: the loop ends here
            return model
    return model


def after_training(model, loader, opt, epochs):
    model.train()
    for epoch in range(epochs):
        for x, y in loader:
            F.cross_entropy(model(x), y).backward()
            opt.step()
    model.eval()  # ok: nothing is trained behind it
    return model


def several(models, loader, opts, epochs):
    for epoch in range(epochs):
        for m in models:
            m.train()
        for x, y in loader:
            for m, opt in zip(models, opts):
                F.cross_entropy(m(x), y).backward()
                opt.step()
        for m in models:
            m.eval()  # ok: the next epoch switches all of them on


def same_condition(model, loader, opt, every):
    model.train()
    for i, (x, y) in enumerate(loader):
        if i % every == 0:
            model.eval()  # ok: the same condition switches it back
        print(model(x))
        if i % every == 0:
            model.train()
        F.cross_entropy(model(x), y).backward()
        opt.step()


def was_training(model, loader, opt):
    model.train()
    for x, y in loader:
        was_in_training = model.training
        model.eval()  # ok: restored to what it was
        print(model(x))
        if was_in_training:
            model.train()
        F.cross_entropy(model(x), y).backward()
        opt.step()


def fresh_model(make, loader):
    for seed in range(3):
        model = make(seed)
        model.train()
        opt = optim.Adam(model.parameters())
        for x, y in loader:
            F.cross_entropy(model(x), y).backward()
            opt.step()
        model.eval()  # ok: the next one is another model
        print(model(x))


def two_models(netg, netd, loader, optg, optd):
    for net in [netg, netd]:
        net.train()
    for i, x in enumerate(loader):
        netd(x).mean().backward()
        optd.step()
        netg(x).mean().backward()
        optg.step()
        if i % 500 == 0:
            netg.eval()  # want TV503 "from here netg is in evaluation mode"
            print(netg(x))


def step_of(model, batch, loss_of, train=True):
    loss = loss_of(model(batch))
    if train:
        loss.backward()
    return loss


def prefix(model, loader, val_batch, opt, loss_of):
    model.train()
    for batch in loader:
        step_of(model, batch, loss_of)
        opt.step()
        with torch.no_grad():
            model.eval()  # ok: no gradients are computed before train()
            step_of(model, val_batch, loss_of, train=False)
            model.train()


class TwoPhases:
    def __init__(self, graph, text):
        self.graph, self.text = graph, text
        self.text.train()

    def run(self, phase, loader, epochs):
        for epoch in range(epochs):
            if phase == "graph":
                self.train_graph(loader)
            if phase == "text":
                self.train_text(loader)
            self.infer(phase)  # ok: each phase trains its own model

    def train_graph(self, loader):
        self.graph.train()
        for x in loader:
            self.graph(x).sum().backward()

    def train_text(self, loader):
        self.text.train()
        for x in loader:
            self.text(x).sum().backward()

    def infer(self, phase):
        if phase == "graph":
            self.graph.eval()
        else:
            self.text.eval()


def parts(model, loader, opt, epochs):
    for epoch in range(epochs):
        _ = [model[key].eval() for key in model]  # ok: those that train are switched on by hand
        model.predictor.train()
        for x in loader:
            model.predictor(x).sum().backward()
            opt.step()


def schedule_free(model, loader, opt, cfg):
    opt = optim.Adam(model.parameters())
    for x in loader:
        model(x).sum().backward()
        opt.step()
        opt.eval()  # ok: the mode of an optimizer


def scored_first(loader, val_loader, epochs):
    model = nn.Sequential(nn.Linear(8, 8), nn.Dropout(), nn.Linear(8, 2))
    opt = optim.Adam(model.parameters())
    print(validate(model, val_loader))  # want TV503 "from here model is in evaluation mode"
    for epoch in range(epochs):
        for x, y in loader:
            F.cross_entropy(model(x), y).backward()
            opt.step()


def scored_first_right(loader, val_loader, epochs):
    model = nn.Sequential(nn.Linear(8, 8), nn.Dropout(), nn.Linear(8, 2))
    opt = optim.Adam(model.parameters())
    print(validate(model, val_loader))  # ok: training mode is switched on before the loop
    model.train()
    for x, y in loader:
        F.cross_entropy(model(x), y).backward()
        opt.step()


def tuned_in_eval(model, loader):
    opt = optim.Adam(model.parameters())
    model.eval()  # ok: tuned with dropout off, which is said once before the loop
    for x, y in loader:
        F.cross_entropy(model(x), y).backward()
        opt.step()


def scored_alone(loader, val_loader, only_score):
    model = nn.Sequential(nn.Linear(8, 8), nn.Dropout(), nn.Linear(8, 2))
    opt = optim.Adam(model.parameters())
    if only_score:
        print(validate(model, val_loader))  # ok: the process ends here
        sys.exit(0)
    for x, y in loader:
        F.cross_entropy(model(x), y).backward()
        opt.step()


def wrapped(model, loader, val_loader, device, parallel):
    opt = optim.Adam(model.parameters())
    running = model.to(device)
    if parallel:
        running = nn.DataParallel(running)
    for x, y in loader:
        running.train()
        F.cross_entropy(running(x), y).backward()
        opt.step()
        validate(model, val_loader)  # ok: what wraps the model is switched back, and the model with it


def wrapped_other(model, teacher, loader, val_loader, device):
    opt = optim.Adam(model.parameters())
    running = teacher.to(device)
    for x, y in loader:
        running.train()
        F.cross_entropy(model(x), y).backward()
        opt.step()
        validate(model, val_loader)  # want TV503 "from here model is in evaluation mode"


def guided(net, aux, loader):
    opt, aux_opt = optim.Adam(net.parameters()), optim.Adam(aux.parameters())
    for x, y in loader:
        aux.train()
        aux_loss = aux(x).sum()
        aux_loss.backward()
        aux_opt.step()
        aux.eval()  # ok: what it gives in this mode is what the other one is trained on
        guide = aux.forward(net(x))
        total = F.cross_entropy(net(x), y) + guide
        total.backward()
        opt.step()


def scored_between(net, loader, val):
    opt = optim.Adam(net.parameters())
    for x, y in loader:
        net.eval()  # want TV503 "from here net is in evaluation mode"
        score = net(val).mean()
        print(score)
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        opt.step()
        net.train()


def run_epoch(model, loader, opt, mode="train", keep=False):
    total = 0.0
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        if mode == "train" or mode == "train+log":
            loss.backward()
            opt.step()
            opt.zero_grad()
        total += loss.item()
    return total


# The second call is asked not to train.
def told_by_name(model, loader, val_loader, opt, epochs):
    for _ in range(epochs):
        model.train()
        run_epoch(model, loader, opt, mode="train")
        model.eval()
        print(run_epoch(model, val_loader, opt, mode="eval"))


def told_by_default(model, loader, val_loader, opt, epochs):
    for _ in range(epochs):
        model.train()
        run_epoch(model, loader, opt, "train")
        model.eval()  # want `evaluation mode`
        print(run_epoch(model, val_loader, opt))


def one_pass(model, loader, opt, train):
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        if not train:
            continue_with(loss)
        else:
            loss.backward()
            opt.step()
            opt.zero_grad()


def told_by_flag(model, loader, val_loader, opt, epochs):
    for _ in range(epochs):
        model.train()
        one_pass(model, loader, opt, True)
        model.eval()
        one_pass(model, val_loader, opt, train=False)


def told_wrong(model, loader, val_loader, opt, epochs):
    for _ in range(epochs):
        model.train()
        one_pass(model, loader, opt, True)
        model.eval()  # want `evaluation mode`
        one_pass(model, val_loader, opt, train=True)
