import copy

import torch
from torch import nn, optim


# Each loop over batches trains one of two heads.
def heads(body, head, tuned, loader, val_loader, optimizer, epochs):
    finetune = optim.Adam(tuned.parameters())
    for epoch in range(epochs):
        for x, y in loader:
            head.train()
            loss = nn.functional.cross_entropy(head(body(x)), y)
            loss.backward()
            optimizer.step()
        for x, y in loader:
            finetune.zero_grad()
            tuned.train()
            loss = nn.functional.cross_entropy(tuned(body(x)), y)
            loss.backward()
            finetune.step()
        for x, y in val_loader:
            tuned.eval()  # ok: the first loop trains the other head, the second switches back
            print(nn.functional.cross_entropy(tuned(body(x)), y))


def head_left(body, head, tuned, loader, val_loader, optimizer, epochs):
    tuned.train()
    for epoch in range(epochs):
        for x, y in loader:
            loss = nn.functional.cross_entropy(tuned(body(x)), y) + head(x).mean()
            loss.backward()
            optimizer.step()
        for x, y in val_loader:
            head.eval()
            tuned.eval()  # want TV503 "from here tuned is in evaluation mode"
            print(nn.functional.cross_entropy(tuned(body(x)), y))


# The generator's loss goes through the discriminator, which does not learn then.
def adversarial(generator, loader, steps):
    discriminator = Discriminator()
    judge = nn.DataParallel(discriminator)
    g_opt = optim.Adam(generator.parameters())
    params = [p for p in discriminator.parameters() if p.requires_grad]
    d_opt = optim.Adam(params)
    generator.train()
    for x in loader:
        discriminator.eval()  # ok: the step behind this loss is the generator's
        g_loss = -judge(generator(x)).mean()
        g_loss.backward()
        g_opt.step()
        generator.eval()  # ok: the step behind this loss is the discriminator's
        judge.train()
        with torch.no_grad():
            fake = generator(x)
        d_loss = judge(fake).mean() - judge(x).mean()
        d_loss.backward()
        d_opt.step()
        judge.eval()  # ok: the same
        generator.train()


def adversarial_left(generator, loader, steps):
    discriminator = Discriminator()
    g_opt = optim.Adam(generator.parameters())
    d_opt = optim.Adam(discriminator.parameters())
    generator.train()
    discriminator.train()
    for x in loader:
        g_loss = -discriminator(generator(x)).mean()
        g_loss.backward()
        g_opt.step()
        d_loss = discriminator(generator(x)).mean() - discriminator(x).mean()
        d_loss.backward()
        d_opt.step()
        generator.eval()  # want TV503 "from here generator is in evaluation mode"
        print(discriminator(generator(x)).mean())


# One model after the other, as a notebook has it.
def plot(model, x):
    model.eval()
    return model(x)


first = nn.Linear(2, 2)
opt = optim.SGD(first.parameters(), lr=0.1)
for i in range(10):
    first.train()
    loss = first(torch.ones(2)).mean()
    loss.backward()
    opt.step()
plot(first, torch.ones(2))  # ok: the loop below trains the second
second = nn.Linear(2, 2)
opt = optim.SGD(second.parameters(), lr=0.1)
for i in range(10):
    second.train()
    loss = second(torch.ones(2)).mean()
    loss.backward()
    opt.step()
plot(second, torch.ones(2))  # want TV503 "from here second is in evaluation mode"
for i in range(10):
    loss = second(torch.ones(2)).mean()
    loss.backward()
    opt.step()


# What wraps an optimizer steps the same model.
def prepared(accelerator, unet, loader, epochs):
    params_to_optimize = [p for p in unet.parameters() if p.requires_grad]
    optimizer = optim.AdamW(params_to_optimize)
    unet, optimizer, loader = accelerator.prepare(unet, optimizer, loader)
    for epoch in range(epochs):
        unet.train()
        for step, x in enumerate(loader):
            with accelerator.accumulate(unet):
                loss = unet(x).mean()
                accelerator.backward(loss)
                optimizer.step()
                optimizer.zero_grad()
            if step % 100 == 0:
                unet.eval()  # want TV503 "from here unet is in evaluation mode"
                print(unet(x).mean())
