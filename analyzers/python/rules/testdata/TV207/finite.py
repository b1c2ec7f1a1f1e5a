import torch


def only_where_finite(model, loader, optimizer):
    for x in loader:
        loss = model(x)
        if not torch.isnan(loss):  # want TV207 "left out"
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def finite(model, loader, optimizer):
    for x in loader:
        loss = model(x)
        optimizer.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if torch.isfinite(norm) and torch.isfinite(loss):  # want TV207 "neither counted nor told"
            optimizer.step()


def told(model, loader, optimizer, log):
    for x in loader:
        loss = model(x)
        if torch.isfinite(loss):  # ok: the other way is told
            loss.backward()
            optimizer.step()
        else:
            log("left out")


def counted(model, loader, optimizer):
    good = 0
    for x in loader:
        loss = model(x)
        if torch.isfinite(loss):  # ok: those that are taken are counted
            loss.backward()
            optimizer.step()
            good += 1
    return good


def summed(model, loader, optimizer):
    total = 0.0
    for x in loader:
        loss = model(x)
        loss.backward()
        optimizer.step()
        if torch.isfinite(loss):  # ok: the step is taken, the mean is another question
            total += loss.item()
    return total


def told_before(model, loader, optimizer, scaler, amp):
    for x in loader:
        loss = model(x)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if torch.isnan(norm):
            print("the norm is no number")
        if amp:
            scaler.step(optimizer)
            scaler.update()
        elif not torch.isnan(norm):  # ok: it was told just before
            optimizer.step()


def told_of_another(model, loader, optimizer):
    for x in loader:
        loss = model(x)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if torch.isnan(loss):
            print("the loss is no number")
        if torch.isfinite(norm):  # want TV207 "neither counted nor told"
            optimizer.step()
