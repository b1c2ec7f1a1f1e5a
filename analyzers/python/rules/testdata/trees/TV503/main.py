import torch.nn.functional as F

from evaluation import score, score_and_restore


def fit(model, loader, val_loader, opt, epochs):
    model.train()
    for epoch in range(epochs):
        for x, y in loader:
            F.cross_entropy(model(x), y).backward()
            opt.step()
            opt.zero_grad()
        print(score(model, val_loader))  # want TV503 "evaluation.py: eval.. is called here"


def fit_right(model, loader, val_loader, opt, epochs):
    model.train()
    for epoch in range(epochs):
        for x, y in loader:
            F.cross_entropy(model(x), y).backward()
            opt.step()
            opt.zero_grad()
        print(score_and_restore(model, val_loader))  # ok: it switches back
