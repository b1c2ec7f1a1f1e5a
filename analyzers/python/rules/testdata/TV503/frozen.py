# From some step on the encoder is frozen, and the rest goes on.
def frozen_later(unet, encoder, loader, optimizer, stop, checkpointing):
    for epoch in range(10):
        unet.train()
        encoder.train()
        for step, x in enumerate(loader):
            if step == stop:
                if not checkpointing:
                    encoder.train(False)  # ok: frozen from here on
                encoder.requires_grad_(False)
            loss = unet(encoder(x)).mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()


def left(unet, encoder, loader, optimizer, stop):
    for epoch in range(10):
        unet.train()
        encoder.train()
        for step, x in enumerate(loader):
            if step == stop:
                encoder.train(False)  # want TV503 "from here encoder is in evaluation mode"
                unet.requires_grad_(False)
            loss = unet(encoder(x)).mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
