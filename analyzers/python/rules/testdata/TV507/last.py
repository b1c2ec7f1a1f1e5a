import torch


def validate(model, val_loader, criterion):
    for x, y in val_loader:
        loss = criterion(model(x), y)  # want TV507 "loss is that of one batch"
    return loss


def accuracies(model, test_loader, accuracy, reduced):
    for i, (x, y) in enumerate(test_loader):
        top1, top5 = accuracy(model(x), y)  # want TV507 "top1 is that of one batch" "top5 is that of one batch"
    print("top1", top1, "top5", top5)


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    for x, y in loader:
        output = model(x)
        acc = (output.argmax(-1) == y).float().mean()  # want TV507 "acc is that of one batch"
    return {"acc": acc.item()}


def epoch(model, val_loader, criterion, writer, step):
    with torch.no_grad():
        for batch in val_loader:
            out = model(batch["x"])
            val_loss = criterion(out, batch["y"])  # want TV507 "val_loss is that of one batch"
    writer.add_scalar("val/loss", val_loss, step)


def shown(model, valid_loader, criterion, bar):
    for x, y in valid_loader:
        val_loss = criterion(model(x), y).item()  # want TV507 "val_loss is that of one batch"
        bar.set_postfix(loss=val_loss)
    return val_loss


def summed(model, val_loader, criterion):
    total = 0
    for x, y in val_loader:
        loss = criterion(model(x), y)  # ok: added up
        total += loss.item()
    return total / len(val_loader)


def listed(model, val_loader, criterion):
    losses = []
    for x, y in val_loader:
        loss = criterion(model(x), y)  # ok: kept
        losses.append(loss)
    print(loss)
    return sum(losses) / len(losses)


def running(model, val_loader):
    right = seen = 0
    for x, y in val_loader:
        right += (model(x).argmax(-1) == y).sum().item()
        seen += len(y)
        acc = right / seen  # ok: of all so far
    return acc


def metered(model, val_loader, meter):
    for x, y in val_loader:
        meter.update(model(x), y)
        acc = meter.avg  # ok: of all so far
    return acc


def of_a_list(model, val_loader, criterion):
    losses = []
    for x, y in val_loader:
        losses.append(criterion(model(x), y).item())
        loss = sum(losses) / len(losses)  # ok: of all so far
    return loss


def smoothed(model, val_loader, criterion):
    loss = 0.0
    for x, y in val_loader:
        loss = 0.9 * loss + 0.1 * criterion(model(x), y)  # ok: made of itself
    return loss


def one_batch(model, val_loader, criterion):
    for x, y in val_loader:
        loss = criterion(model(x), y)  # ok: one batch was wanted
        break
    return loss


def other_after(model, val_loader, criterion, losses):
    for x, y in val_loader:
        loss = criterion(model(x), y)  # ok: another value is reported
        losses.append(float(loss))
    loss = sum(losses) / len(losses)
    return loss


def trains(model, loader, criterion):
    for x, y in loader:
        loss = criterion(model(x), y)  # ok: it trains, and shows where it is
        loss.backward()
    return loss


def not_reported(model, val_loader, criterion, out):
    for x, y in val_loader:
        loss = criterion(model(x), y)  # ok: nothing reports it
        out.append(x)
    return out


def handed_on(model, val_loader, criterion, record):
    for x, y in val_loader:
        loss = criterion(model(x), y)  # ok: handed on
        record(loss)
    print(loss)


def by_metric(metric, val_loader, model):
    for x, y in val_loader:
        score = metric(model(x), y)  # ok: the metric keeps what it saw
    return score


def settings(run, eval_settings):
    for s in eval_settings:
        score = run(s)  # ok: no batches
    return score
