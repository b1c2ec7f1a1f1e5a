import torch


def evaluate(model, loader):
    model.eval()
    right = 0
    for x, y in loader:
        right += (model(x).argmax(-1) == y).sum().item()  # want TV502 "judged with gradients on"
    return right


def train(model, loader, opt):
    for x, y in loader:
        model(x).sum().backward()  # ok: it trains


class Tasks:
    def evaluate(self, test_sets):
        scores = []
        for test_set in test_sets:
            best = self.load_model_and_task(test_set.folder)  # ok: it loads one
            scores.append(best.score)
        return scores
