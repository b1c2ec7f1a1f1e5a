def evaluate(model, val_loader, criterion):
    total_loss = seen = loss_sum = acc = 0
    for x, y in val_loader:
        loss = criterion(model(x), y)
        total_loss += loss.item()  # want TV506 "means of batches are averaged"
        loss_sum += loss.item() * len(x)  # ok: by the size of the batch
        acc += (model(x).argmax(-1) == y).sum().item()  # ok: a count
        seen += len(x)
    print(total_loss / len(val_loader))
    return loss_sum / seen, acc / len(val_loader.dataset)


def train(model, loader, criterion):
    total_loss = 0
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        total_loss += loss.item()  # ok: it trains
    return total_loss / len(loader)
