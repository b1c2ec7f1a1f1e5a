from transformers import AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("some/model")


# What is asked has a name first.
def named(ids):
    beyond = (ids >= tokenizer.vocab_size).any()  # want TV102 "leaves out the tokens that were added"
    if beyond:
        raise ValueError("an impossible id")


def named_right(ids):
    beyond = (ids >= len(tokenizer)).any()  # ok: the length counts what was added
    if beyond:
        raise ValueError("an impossible id")


def counted(ids):
    beyond = (ids >= tokenizer.vocab_size).any()  # ok: nothing raises for it
    if beyond:
        print("added tokens")
