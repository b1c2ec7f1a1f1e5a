def train(model, loader, optimizer):
    total = 0
    for x in loader:
        optimizer.zero_grad()
        loss = model(x)
        loss.backward()
        optimizer.step()
        total += loss  # want TV405 "keeps the graph"
    return total


class Trainer:
    def epoch(self, loader):
        for x in loader:
            loss = self.model(x)
            loss.backward()
            self.total += loss  # want TV405 "self.total"


def healthy(model, loader):
    total = 0
    for x in loader:
        loss = model(x)
        loss.backward()
        total += loss.item()  # ok: the value alone
    return total


def detached(model, loader):
    total = 0
    for x in loader:
        loss = model(x)
        loss.backward()
        loss = loss.detach()
        total += loss  # ok: has no graph by then
    return total


def trained_on(model, loader):
    for x in loader:
        total = 0
        for part in x:
            loss = model(part)
            total += loss  # ok: the sum is what is trained on
        total.backward()


def terms(model, loader):
    sum_loss = 0
    for x in loader:
        loss = model(x)
        loss.backward(retain_graph=True)
        sum_loss += loss  # ok: the sum is trained on
    sum_loss.backward()


def count(model, loader):
    n = 0
    for x in loader:
        loss = model(x)
        loss.backward()
        size = len(x)
        n += size  # ok: no loss
    return n


def weighed(model, loader, opt):
    total = total_value = 0.0
    for x in loader:
        loss = model(x).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss / len(loader)  # want TV405 "total keeps the graph of every batch"
        total_value += loss.item() * x.size(0)  # ok: the value alone
    return total, total_value
