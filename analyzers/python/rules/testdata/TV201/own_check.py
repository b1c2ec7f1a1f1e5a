from transformers import AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("x")


class IdError(ValueError):
    pass


def spoken(model, prompt):
    ids = model.generate(prompt)
    if ids.min() < 0 or ids.max() >= len(tokenizer):
        raise ValueError("an id outside of the vocabulary")
    return tokenizer.batch_decode(ids)


def items(model, prompts):
    out = []
    for p in prompts:
        try:
            out.append(spoken(model, p))
        except ValueError:  # want `what the check before tokenizer.batch_decode raises is caught here`
            out.append("")
    return out


def one(model, prompt):
    try:
        return spoken(model, prompt)
    except ValueError:  # want `whoever called this`
        return ""


def within(model, prompts):
    out = []
    for p in prompts:
        ids = model.generate(p)
        try:
            if ids.min() < 0 or ids.max() >= len(tokenizer):
                raise IdError(ids)
            out.append(tokenizer.decode(ids))
        except IdError:  # want `what the check before tokenizer.decode raises is caught here`
            out.append("")
        except KeyError:  # ok: nothing here raises that
            out.append("")
    return out


def raised_again(model, prompt):
    try:
        return spoken(model, prompt)
    except ValueError as e:  # ok: the caller hears of it
        raise SystemExit(f"{prompt}: {e}") from e


def other_error(model, prompts):
    for p in prompts:
        try:
            print(spoken(model, p))
        except FileNotFoundError:  # ok: the check does not raise it
            continue


def broad(model, prompts):
    for p in prompts:
        try:
            print(spoken(model, p))
        except Exception:  # want `a fault of tokenizer.batch_decode is caught here`
            continue


def parsed(model, prompts):
    for p in prompts:
        text = spoken(model, p)[0]
        try:
            print(int(text))
        except ValueError:  # ok: the check stands before the try
            print("no number")
