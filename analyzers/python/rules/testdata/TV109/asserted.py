from transformers import AutoTokenizer

tok = AutoTokenizer.from_pretrained("x")


def decode(model, x):
    ids = model.generate(x)
    assert ids.min() >= 0 and ids.max() < len(tok)
    return tok.decode(ids)  # want TV109 "only an assert checks its ids, which python -O drops"


def shapes(model, x):
    ids = model.generate(x)
    assert ids.shape[0] == 1
    return tok.decode(ids)  # ok: no check of ids at all


def raised(model, x):
    ids = model.generate(x)
    assert x is not None
    if ids.min() < 0 or ids.max() >= len(tok):
        raise ValueError("impossible id")
    return tok.decode(ids)  # ok: it raises


def stored(path, np):
    saved = np.load(path)
    assert saved.min() >= 0, "negative"
    assert saved.max() < len(tok), "outside"
    return tok.decode(saved[0].tolist())  # want TV109 "only an assert checks its ids"
