import torch
from transformers import AutoTokenizer

tok = AutoTokenizer.from_pretrained("gpt2")


def texts(model, loader):
    out = []
    for x in loader:
        try:
            out.append(tok.decode(model.generate(x)[0]))
        except RuntimeError:  # want TV201 "goes no further"
            out.append("")
    return out


def tuples(model, x):
    try:
        return tok.decode(model.generate(x)[0])
    except (RuntimeError, KeyError) as e:  # want TV201 "goes no further"
        print(e)
    return ""


def around_the_training(model, loader, opt):
    try:
        for x in loader:
            opt.zero_grad()
            model(x).backward()
            opt.step()
    except RuntimeError as e:  # want TV201 "goes no further"
        print("stopped", e)
    torch.save(model.state_dict(), "final.pt")


def other_errors(model, loader):
    out = []
    for x in loader:
        try:
            out.append(tok.decode(model.generate(x)[0]))
        except ValueError:  # ok: a fault is none of these
            out.append("")
    return out


def by_memory(model, x):
    try:
        return tok.decode(model.generate(x)[0])
    except RuntimeError as e:
        if "out of memory" not in str(e):  # ok: TV202 has it
            raise
        return ""


def typed(model, x):
    try:
        return tok.decode(model.generate(x)[0])
    except RuntimeError as e:  # ok: it raises
        raise ValueError("no text") from e


def nothing_behind(model, loader, opt):
    try:
        for x in loader:
            opt.zero_grad()
            model(x).backward()
            opt.step()
    except RuntimeError as e:  # ok: the run ends without a result
        print("stopped", e)
