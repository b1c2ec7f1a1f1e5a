"""Operators that need more than one call to show that they are wrong."""

from compare import Judgement
from places import generator, wait


def rand(torch, seed, *shape):
    return torch.randn(*shape, generator=generator(torch, seed), dtype=torch.float64)


def batch_change(torch, device):
    """Backward after another batch size: the first one must leave nothing behind."""
    judge = Judgement()
    weights = [rand(torch, 11, 32, 16), rand(torch, 12, 8, 32)]

    def grads(place, dtype, n):
        ws = [w.float().to(dtype).to(place).requires_grad_(True) for w in weights]
        x = rand(torch, n, n, 16).float().to(dtype).to(place)
        h = torch.nn.functional.gelu(x @ ws[0].t())
        (h @ ws[1].t()).pow(2).mean().backward()
        wait(torch, torch.device(place))
        return [w.grad for w in ws]

    for n in (1200, 1111, 1200, 64):
        got = grads(device, torch.float32, n)
        want = grads("cpu", torch.float64, n)
        for i, (a, b) in enumerate(zip(got, want)):
            judge.tensor("gradient %d at batch %d" % (i, n), a, b, "float32")
    return judge.result()


def grad_rows(torch, device):
    """The gradient of a sum reaches every row."""
    judge = Judgement()
    for n in (8, 3000):
        x = rand(torch, 13, n, 5)
        w = rand(torch, 14, 5, 4)

        def grad(place, dtype):
            a = x.float().to(dtype).to(place).requires_grad_(True)
            y = torch.tanh(a @ w.float().to(dtype).to(place))
            return torch.autograd.grad(y.sum(), a)[0]

        got = grad(device, torch.float32)
        wait(torch, device)
        judge.tensor("gradient at %d rows" % n, got, grad("cpu", torch.float64), "float32")
        if bool((got.detach().cpu().abs().sum(dim=1) == 0).any()):
            judge.faults.append("a row of the gradient is exactly zero")
    return judge.result()


def addcdiv_strided(torch, device):
    """An update in place, on a tensor that is not contiguous."""
    judge = Judgement()

    def update(place, dtype):
        x = rand(torch, 15, 6, 8).float().to(dtype).to(place).t()
        a = rand(torch, 16, 8, 6).float().to(dtype).to(place)
        b = rand(torch, 17, 8, 6).float().to(dtype).to(place).abs() + 1
        x.addcdiv_(a, b, value=-0.5)
        x.addcmul_(a, b, value=0.25)
        return x

    got = update(device, torch.float32)
    wait(torch, device)
    judge.tensor("update", got, update("cpu", torch.float64), "float32")
    return judge.result()


def rprop_strided(torch, device):
    """An optimizer's update of a parameter that is not contiguous."""
    judge = Judgement()
    for name, make in (("Rprop", torch.optim.Rprop), ("AdamW", torch.optim.AdamW)):

        def updated(place, dtype):
            p = torch.nn.Parameter(rand(torch, 18, 5, 7).float().to(dtype).to(place).t())
            opt = make([p], lr=0.1)
            for step in range(3):
                opt.zero_grad()
                (p * rand(torch, 19 + step, 7, 5).float().to(dtype).to(place)).sum().backward()
                opt.step()
            return p

        got = updated(device, torch.float32)
        wait(torch, device)
        judge.tensor(name, got, updated("cpu", torch.float64), "float32")
    return judge.result()


def index_copy(torch, device):
    """Writes by index stay inside and reach their rows."""
    judge = Judgement()
    order = torch.randperm(40, generator=generator(torch, 20))[:25]

    def write(place):
        x = torch.zeros(42, 3, dtype=torch.float32, device=place)
        rows = rand(torch, 21, 25, 3).float().to(place)
        x[1:41].index_copy_(0, order.to(place), rows)
        x[1:41].index_fill_(0, order[:5].to(place), 7.0)
        return x

    got = write(device)
    wait(torch, device)
    judge.exact("rows", got.cpu(), write("cpu"))
    return judge.result()


def item_assignment(torch, device):
    """Assigning one item leaves its neighbours alone."""
    judge = Judgement()

    def assign(place):
        x = torch.arange(64, dtype=torch.float32, device=place)
        x[13] = -1.0
        x[20:24] = torch.tensor([5.0, 6.0, 7.0, 8.0], device=place)
        x[x > 60] = 0.5
        return x

    got = assign(device)
    wait(torch, device)
    judge.exact("items", got.cpu(), assign("cpu"))
    return judge.result()


def unique(torch, device):
    """unique with its inverse gives the input back, on numbers beyond float32's whole ones."""
    judge = Judgement()
    x = torch.randint(2**24, 2**24 + 500, (4000,), generator=generator(torch, 22)) * 3 + 1
    values, inverse = torch.unique(x.to(device), return_inverse=True)
    wait(torch, device)
    judge.exact("values by their inverse", values.cpu()[inverse.cpu()], x)
    judge.exact("values", values.cpu(), torch.unique(x))
    return judge.result()


def choices(torch, device):
    """argmax and multinomial stay inside their range, as ids must."""
    judge = Judgement()
    for n in (10, 50257):
        x = rand(torch, 23, 16, n).float()
        at = x.to(device).argmax(dim=-1)
        wait(torch, device)
        judge.exact("argmax of %d" % n, at.cpu(), x.argmax(dim=-1))
        drawn = torch.multinomial(torch.softmax(x.to(device), -1), 8, replacement=True).cpu()
        judge.compared += 1
        if not bool(((drawn >= 0) & (drawn < n)).all()):
            judge.faults.append("multinomial of %d gives %d" % (n, int(drawn.max())))
    return judge.result()
