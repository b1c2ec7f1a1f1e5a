from torch import optim


# The arm with a scaler clears, the other one does not.
def one_arm(model, loader, optimizer, scaler, criterion, args):
    for x, y in loader:
        loss = criterion(model(x), y)
        if args.amp:
            optimizer.zero_grad()
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            optimizer.step()  # want TV401 "cleared nowhere in this loop"


def both_arms(model, loader, optimizer, scaler, criterion, args):
    for x, y in loader:
        loss = criterion(model(x), y)
        if args.amp:
            optimizer.zero_grad()
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()  # ok: both arms clear


def turns(model, loader, optimizer, criterion, every):
    for i, (x, y) in enumerate(loader):
        if i % every == 0:
            optimizer.zero_grad()
        else:
            criterion(model(x), y).backward()
            optimizer.step()  # ok: the test comes out otherwise in other turns


# The encoder's gradients are cleared, the discriminator's never.
def one_of_two(E, D, loader, gan_loss):
    optimizer_E = optim.Adam(E.net.parameters(), lr=1e-4)
    optimizer_D = optim.Adam(D.net.parameters(), lr=1e-4)
    for x in loader:
        d_loss = gan_loss(D.net(x), D.net(E.net(x).detach()))
        d_loss.backward()
        optimizer_D.step()  # want TV401 "the gradients of optimizer_D are cleared nowhere"
        optimizer_E.zero_grad()
        e_loss = gan_loss(D.net(E.net(x)))
        e_loss.backward()
        optimizer_E.step()


def of_all(E, D, loader, gan_loss):
    everything = optim.SGD(list(E.parameters()) + list(D.parameters()), lr=1e-4)
    optimizer_D = optim.Adam(D.parameters(), lr=1e-4)
    for x in loader:
        everything.zero_grad()
        gan_loss(D(x), D(E(x).detach())).backward()
        optimizer_D.step()  # ok: what is cleared holds its parameters too


def of_the_whole(net, loader, loss):
    whole = optim.SGD(net.parameters(), lr=1e-4)
    head = optim.Adam(net.head.parameters(), lr=1e-4)
    for x in loader:
        whole.zero_grad()
        loss(net(x)).backward()
        head.step()  # ok: the head is part of what is cleared
