import trainvet

SYSTEMIC = ("cuda", "driver", "device")


def is_systemic(e):
    text = str(e).lower()
    return any(p in text for p in SYSTEMIC)


def is_fault(e):
    return isinstance(e, trainvet.Fault)


def decode_error(e):
    return {"error": str(e)}
