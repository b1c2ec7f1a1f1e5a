from transformers import AutoTokenizer

tok = AutoTokenizer.from_pretrained("x")


def label(model, path):
    return tok.decode(model.generate(path))


def label_quietly(model, path):
    try:
        return label(model, path)
    except Exception:
        return ""


class Labeller:
    def __init__(self, model):
        self.model = model

    def run(self, path):
        return label(self.model, path)
