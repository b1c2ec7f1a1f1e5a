def make(tokenizer):
    tokenizer.pad_token = tokenizer.eos_token  # ok: nothing leaves padding out of a loss; -100 is only spoken of
    return tokenizer


def other(tokenizer):
    tokenizer.pad_token = "<pad>"  # ok: a token of its own
