from transformers import AutoTokenizer

tok = AutoTokenizer.from_pretrained("x")


def prepare(model):
    model.resize_token_embeddings(len(tok), pad_to_multiple_of=64)  # ok: no guard of this tree is wrong about it
    if len(tok) > 3:
        raise ValueError("too many")
