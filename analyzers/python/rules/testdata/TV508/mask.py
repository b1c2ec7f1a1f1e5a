def labels(tokenizer, ids):
    tokenizer.pad_token_id = tokenizer.eos_token_id  # want TV508 "not taught to stop"
    out = ids.clone()
    out[out == tokenizer.pad_token_id] = -100
    return out
