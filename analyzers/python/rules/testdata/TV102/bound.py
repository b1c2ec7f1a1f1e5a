import trainvet
from transformers import AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("x")


class Fault(Exception):
    pass


def check(ids, model):
    if ids.max() >= tokenizer.vocab_size:  # want TV102 "leaves out the tokens that were added"
        raise Fault("impossible id")
    if (ids < 0).any() or (ids >= tokenizer.vocab_size).any():  # want TV102 "taken for a fault"
        raise Fault("impossible id")
    if any(i >= tokenizer.vocab_size for i in ids):  # want TV102 "taken for a fault"
        raise Fault("impossible id")
    assert max(ids) < tokenizer.vocab_size  # want TV102 "taken for a fault"
    trainvet.check_ids(ids, tokenizer.vocab_size)  # want TV102 "taken for a fault"
    trainvet.check_ids(ids, bound=tokenizer.vocab_size)  # want TV102 "taken for a fault"
    return tokenizer.decode(ids)


def healthy(ids, model, config):
    if ids.max() >= len(tokenizer):  # ok: with added tokens
        raise Fault("impossible id")
    if model.config.vocab_size < tokenizer.vocab_size:  # ok: two sizes
        raise ValueError("the embedding is too small")
    if ids.max() >= tokenizer.vocab_size:  # ok: it does not raise, it counts
        print("an added token")
    if ids.max() >= model.config.vocab_size:  # ok: the rows of the embedding, which no id may exceed
        raise Fault("impossible id")
    logits = model.head(config.vocab_size)  # ok: no check
    trainvet.check_ids(ids, tokenizer)  # ok: the tokenizer itself
    assert tokenizer.vocab_size > 0  # ok: no ids
    return logits
