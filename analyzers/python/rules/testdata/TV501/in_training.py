import torch


def train(net, loader, val_loader, optimizer, criterion, epochs):
    for epoch in range(epochs):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(net(x), y).backward()
            optimizer.step()
        print(val(net, val_loader))


def val(net, val_loader):
    right = total = 0
    for x, y in val_loader:
        with torch.no_grad():
            out = net(x)  # want TV501 "judged in training mode"
        right += (out.argmax(1) == y).sum().item()
        total += len(y)
    return right / total


def test(net, test_loader):
    net.eval()
    right = 0
    for x, y in test_loader:
        with torch.no_grad():
            right += (net(x).argmax(1) == y).sum().item()  # ok: in evaluation mode
    return right / len(test_loader.dataset)


def switched(net, loader, val_loader, optimizer, criterion, epochs):
    for epoch in range(epochs):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(net(x), y).backward()
            optimizer.step()
        net.eval()
        print(judge(net, val_loader))


def judge(net, val_loader):
    right = 0
    for x, y in val_loader:
        with torch.no_grad():
            right += (net(x).argmax(1) == y).sum().item()  # ok: the caller switches before
    return right / len(val_loader.dataset)


def back_on(model, loader, valid_loader, optimizer, criterion, packed):
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        for x, y in valid_loader:
            if packed:
                model.train()
                out = model(x[0])  # want TV501 "judged in training mode"
            else:
                model.train()
                out = model(x)
            print(criterion(out, y))


def by_flag(model, valid_loader, training):
    if training:
        model.train()
    else:
        model.eval()
    for x in valid_loader:
        print(model(x))  # ok: the caller chose


def statistics_first(model, test_loader):
    model.train()
    for x in test_loader:
        _ = model(x)  # ok: run for the statistics of its batch normalisation alone
    model.eval()
    for x in test_loader:
        print(model(x))  # ok: in evaluation mode
