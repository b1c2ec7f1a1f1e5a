"""Whether a data pipeline is asked to give each sample the same random numbers: by an
attribute of the dataset, or of a transform in it, that says deterministic, or that is
a seed and holds the very number. A number that stands in the code of a sample, or of
the module, asks for nothing: it is there to repeat a run, and repeats each sample."""

import re

DETERMINISTIC = re.compile(r"^_?(is_)?(deterministic|fixed|same|constant|static)(_(aug\w*|crops?|noise|masks?|transforms?|views?|sampling))?$")
SEED = re.compile(r"^_?((fixed|aug\w*|noise|mask|crop|transform|data|random)_)?(seed|random_state)$")
INNER = ("dataset", "transform", "transforms", "_transform", "tf", "augment", "augmentation")
DEPTH = 4


def repeated(dataset, value, depth=DEPTH):
    """The name of the attribute that asks for it; empty: nobody does. Value is the
    seed, as it is written."""
    held = getattr(dataset, "__dict__", None)
    if not isinstance(held, dict):
        return next((name for part in some(dataset) for name in [repeated(part, value, depth - 1)] if name), "") if depth else ""
    for name, v in held.items():
        if not isinstance(name, str):
            continue
        if v is True and DETERMINISTIC.match(name) or SEED.match(name) and v is not None and not isinstance(v, bool) and repr(v) == value:
            return name
    if not depth:
        return ""
    return next((name for inner in INNER if inner in held for name in [repeated(held[inner], value, depth - 1)] if name), "")


def some(value):
    return value[:16] if isinstance(value, (list, tuple)) else ()
