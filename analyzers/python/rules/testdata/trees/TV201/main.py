import json

from errors import decode_error, is_fault, is_systemic
from labels import Labeller, label, label_quietly


def by_text(model, files):
    rows = []
    for f in files:
        try:
            rows.append(label(model, f))
        except Exception as e:  # want TV201 "a fault of label is caught here.*main.py: the text of the error decides|label"
            if not is_systemic(e):
                rows.append(decode_error(e))
                continue
            raise
    json.dump(rows, open("rows.json", "w"))


def by_type(model, files):
    rows = []
    for f in files:
        try:
            rows.append(label(model, f))
        except Exception as e:  # ok: the function of the other module tests the type
            if is_fault(e):
                raise
            rows.append(decode_error(e))
    return rows


def method(model, files):
    labeller = Labeller(model)
    for f in files:
        try:
            print(labeller.run(f))
        except Exception:  # want TV201 "tok.decode.*labels.py: label is called here.*labels.py: tok.decode decodes ids"
            continue


def lost_there(model, files):
    for f in files:
        try:
            print(label_quietly(model, f))
        except Exception:  # ok: label_quietly loses it, nothing comes here
            continue
