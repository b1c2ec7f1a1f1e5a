import trainvet
from transformers import AutoTokenizer

tok = AutoTokenizer.from_pretrained("x")


def late(model, x):
    ids = model.generate(x)
    text = tok.decode(ids)  # want TV105 "checks its ids behind the decode"
    trainvet.check_ids(ids, tok)
    return text


def on_one_path(model, x, strict):
    ids = model.generate(x)
    if strict:
        trainvet.check_ids(ids, tok)
    return tok.decode(ids)  # want TV105 "a path leads past"


def anew(model, x):
    ids = model.generate(x)
    trainvet.check_ids(ids, tok)
    ids = model.generate(x)
    return tok.decode(ids)  # want TV105 "made anew"


def a_part(model, x):
    ids = model.generate(x)
    trainvet.check_ids(ids[0], tok)
    return tok.batch_decode(ids)  # want TV105 "a part of its ids only"


def upper_alone(model, x):
    ids = model.generate(x)
    if ids.max() >= len(tok):
        raise ValueError("impossible id")
    return tok.decode(ids)  # want TV105 "lets negative ids through"


def lower_alone(model, x):
    ids = model.generate(x)
    if ids.min() < 0:
        raise ValueError("impossible id")
    return tok.decode(ids)  # want TV105 "lets ids beyond the vocabulary through"


def healthy(model, x):
    ids = model.generate(x)
    ids = trainvet.check_ids(ids, tok)
    return tok.decode(ids.cpu().tolist())  # ok: checked, and only moved since


def both(model, x):
    ids = model.generate(x)
    if ids.min() < 0 or ids.max() >= len(tok):
        raise ValueError("impossible id")
    return tok.decode(ids)  # ok: both bounds


def nothing(model, x):
    return tok.decode(model.generate(x))  # ok: no check at all, the ledger says so


def host(text):
    return tok.decode(tok(text).input_ids)  # ok: these ids never left the host
