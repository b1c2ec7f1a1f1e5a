def train(model, loader, optimizer, accumulation_steps):
    for i, x in enumerate(loader):
        model(x).mean().backward()  # want TV404 "accumulation_steps"
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()


def named(model, loader, optimizer, args):
    for i, x in enumerate(loader):
        loss = model(x)
        loss.backward()  # want TV404 "too large"
        if i % args.grad_accum == 0:
            optimizer.step()
            optimizer.zero_grad()


def healthy(model, loader, optimizer, accumulation_steps):
    for i, x in enumerate(loader):
        (model(x).mean() / accumulation_steps).backward()  # ok: divided
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()


def in_place(model, loader, optimizer, accumulation_steps):
    for i, x in enumerate(loader):
        loss = model(x).mean()
        loss /= accumulation_steps
        loss.backward()  # ok: divided before
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()


def log(model, loader, optimizer):
    for i, x in enumerate(loader):
        model(x).backward()  # ok: each turn steps
        optimizer.step()
        if i % 100 == 0:
            print(i)


def alternating(model, loader, optimizer):
    for i, x in enumerate(loader):
        model(x).backward()  # ok: nothing says that it accumulates
        if i % 2 == 0:
            optimizer.step()
