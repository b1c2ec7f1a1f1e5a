import math

from transformers import AutoTokenizer

tok = AutoTokenizer.from_pretrained("x")


class Fault(Exception):
    pass


def prepare(model):
    tok.add_tokens(["<a>"])
    model.resize_token_embeddings(len(tok), pad_to_multiple_of=64)  # want TV106 "more rows here than the tokenizer has words"
    n = int(64 * math.ceil(len(tok) / 64))
    model.resize_token_embeddings(n)  # want TV106 "more rows"
    model.resize_token_embeddings(len(tok))  # ok: as many rows as words
    model.resize_token_embeddings(len(tok), pad_to_multiple_of=None)  # ok: as many rows as words


def check(ids):
    if ids.max() >= len(tok):
        raise Fault("impossible id")
    return tok.decode(ids)
