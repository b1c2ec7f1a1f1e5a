from errors import decode_error, is_fault, is_systemic
from labels import label


def by_text(model, files):
    rows = []
    for f in files:
        try:
            rows.append(label(model, f))
        except Exception as e:
            if not is_systemic(e):  # want TV202 "decided by its text.*errors.py: the text of the error decides here: p in text.*labels.py: tok.decode"
                rows.append(decode_error(e))
                continue
            raise
    return rows


def by_type(model, files):
    rows = []
    for f in files:
        try:
            rows.append(label(model, f))
        except Exception as e:
            if is_fault(e):  # ok: a type
                raise
            rows.append(decode_error(e))
    return rows
