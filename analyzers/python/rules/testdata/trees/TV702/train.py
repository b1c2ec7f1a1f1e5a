from data import loader


def train(model, data, opt, epochs):
    batches = loader(data)
    for epoch in range(epochs):
        for batch in batches:
            model(batch).backward()
            opt.step()
