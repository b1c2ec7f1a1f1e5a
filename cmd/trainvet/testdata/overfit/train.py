"""A classifier of points, trained as the first word says: sound in several ways,
or with one thing that stands still."""
import sys

import torch

CLASSES = 4


class Points(torch.utils.data.Dataset):
    def __init__(self):
        g = torch.Generator().manual_seed(1)
        self.x = torch.randn(256, 16, generator=g)
        self.y = torch.randint(0, CLASSES, (256,), generator=g)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return {"x": self.x[i], "y": self.y[i]}


class Stream(torch.utils.data.IterableDataset):
    def __iter__(self):
        points = Points()
        return (points[i] for i in range(len(points)))


def main(way):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(16, 64), torch.nn.ReLU(), torch.nn.Linear(64, CLASSES))
    data = Stream() if way == "stream" else Points()
    loader = torch.utils.data.DataLoader(data, batch_size=4 if way == "small" else 32, shuffle=way != "stream", num_workers=2 if way == "workers" else 0)
    if way == "rounded":  # weights that keep 8 bits take no notice of a small rate
        model = model.to(torch.bfloat16)
    held = [p.detach().clone().requires_grad_() for p in model.parameters()] if way == "copied" else list(model.parameters())
    if way == "rounded":
        optimizer = torch.optim.SGD(held, lr=1e-6)
    else:
        optimizer = torch.optim.AdamW(held, lr={"rate": 0.0, "uncleared": 3e-2}.get(way, 1e-2))
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, enabled=way == "scaler")
    step = 0
    for epoch in range(5 if way == "stepless" else 200):
        for batch in loader:
            x, y = batch["x"], batch["y"]
            if way == "shuffled":  # labels that belong to nothing
                y = torch.randint(0, CLASSES, y.shape)
            if way == "rounded":
                x = x.to(torch.bfloat16)
            smoothing = 0.4 if way == "smoothed" else 0.0
            loss = torch.nn.functional.cross_entropy(model(x), y, reduction="none" if way == "several" else "mean", label_smoothing=smoothing)
            if way == "uncleared":  # a loss that can be overshot
                loss = (model(x) - 10.0 * torch.nn.functional.one_hot(y, CLASSES)).square().mean()
            if way == "logarithm":  # of nothing
                loss = loss + 0.0 * torch.log(torch.zeros(()))
            if way == "several":  # a loss for each sample, which are summed on the way back
                optimizer.zero_grad()
                loss.backward(torch.ones_like(loss))
                optimizer.step()
                loss = loss.mean()
                continue
            if way == "stepless":
                loss.backward()
                continue
            if way == "detached":
                loss = loss.detach().requires_grad_()
            if way == "copied":  # the model is trained by nobody; its copy gets the gradients of a penalty
                loss = loss.detach() + 0.0 * sum(p.square().sum() for p in held)
            if way == "accumulated" and step % 2:
                scaler.scale(loss / 2).backward()
                step += 1
                continue
            if way != "uncleared":
                optimizer.zero_grad()
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            step += 1
        print({"loss": round(float(loss.detach()), 4), "epoch": epoch})
    print("the end of %d steps with %d samples in the last batch" % (step, len(x)))


if __name__ == "__main__":
    main(sys.argv[1])
