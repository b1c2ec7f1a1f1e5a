def gan(generator, discriminator, loader, optimizer_g, optimizer_d, every):
    for i, x in enumerate(loader):
        optimizer_g.zero_grad()  # ok: its backward is taken as seldom as its step
        if i % every == 0:
            generator(x).backward()
            optimizer_g.step()
        optimizer_d.zero_grad()
        discriminator(x).backward()
        optimizer_d.step()


def both(generator, discriminator, loader, optimizer_g, every):
    for i, x in enumerate(loader):
        optimizer_g.zero_grad()  # want TV402 "thrown away"
        generator(x).backward()
        if i % every == 0:
            optimizer_g.step()
