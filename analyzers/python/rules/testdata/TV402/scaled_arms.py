import torch


def every_turn(model, loader, optimizer, scaler, accumulate):
    for i, x in enumerate(loader):
        optimizer.zero_grad(set_to_none=True)  # want TV402 "cleared in each turn"
        loss = model(x).mean()
        if scaler:
            scaler.scale(loss / accumulate).backward()
        else:
            (loss / accumulate).backward()
        if i % accumulate == 0:
            if scaler:
                scaler.step(optimizer)
                scaler.update()
            else:
                optimizer.step()


def behind_the_step(model, loader, optimizer, scaler, accumulate):
    optimizer.zero_grad(set_to_none=True)
    for i, x in enumerate(loader):
        loss = model(x).mean()
        if scaler:
            scaler.scale(loss / accumulate).backward()
        else:
            (loss / accumulate).backward()
        if (i + 1) % accumulate == 0:
            if scaler:
                scaler.step(optimizer)
                scaler.update()
            else:
                optimizer.step()
            optimizer.zero_grad(set_to_none=True)  # ok: once per step


def rare(model, loader, optimizer, every):
    for i, x in enumerate(loader):
        optimizer.zero_grad()  # ok: the backward is taken as seldom as the step
        loss = model(x).mean()
        if i % every == 0:
            loss.backward()
            optimizer.step()
        else:
            print(loss.item())
