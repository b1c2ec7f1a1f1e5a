class CharTokenizer:
    def __init__(self, chars):
        self.vocab_size = len(chars)


def decode(tokenizer, ids):
    if max(ids) >= tokenizer.vocab_size:  # ok: this tokenizer has no added tokens
        raise ValueError("impossible id")
    return tokenizer.decode(ids)
