from data import loader


def train(model, data, opt, epochs):
    batches = loader(data)
    for epoch in range(epochs):
        batches.sampler.set_epoch(epoch)
        for batch in batches:
            model(batch).backward()
            opt.step()
