import contextlib
import json
import logging
import os
import sys

import torch
import trainvet
from transformers import AutoTokenizer

tok = AutoTokenizer.from_pretrained("x")
log = logging.getLogger()


def label(model, path):
    ids = model.generate(path)
    return tok.decode(ids)


def per_item(model, files):
    rows = []
    for f in files:
        try:
            rows.append(label(model, f))
        except Exception as e:  # want TV201 "a fault of tok.decode is caught here and goes no further: it becomes one item that failed"
            rows.append(str(e))
    return rows


def direct(model, files):
    for f in files:
        try:
            print(tok.decode(model.generate(f)))
        except:  # want TV201 "tok.decode"
            continue


def message(model, files):
    for f in files:
        try:
            print(label(model, f))
        except Exception as e:  # want TV201 "tok.decode"
            if "device" in str(e):
                raise
            print("skipped", f)


def whole_loop(model, loader, opt):
    try:
        for x in loader:
            model(x).backward()
            opt.step()
    except Exception as e:  # want TV201 "opt.step.*whoever called this"
        print(e)
    torch.save(model.state_dict(), "model.pt")


def finally_returns(model, files):
    rows = []
    try:
        for f in files:
            rows.append(label(model, f))
    finally:
        return rows  # want TV201 "return in a finally block replaces the exception"


def suppresses(model, files):
    for f in files:
        with contextlib.suppress(Exception):  # want TV201 "suppressed here"
            print(label(model, f))


def guard(ids):
    out = []
    for row in ids:
        try:
            trainvet.check_ids(row, tok)
        except Exception:  # want TV201 "check_ids"
            continue
        out.append(row)
    return out


def typed_too_late(model, files):
    for f in files:
        try:
            label(model, f)
        except Exception as e:  # want TV201 "tok.decode"
            log.warning("%s", e)
        except trainvet.Fault:
            raise


def typed_first(model, files):
    for f in files:
        try:
            label(model, f)
        except trainvet.Fault:
            raise
        except Exception as e:  # ok: the fault is gone before it
            log.warning("%s", e)


def raises_again(model, f):
    try:
        return label(model, f)
    except Exception:  # ok: it raises again
        log.exception("labelling")
        raise


def other_type(model, f):
    try:
        return label(model, f)
    except Exception as e:  # ok: an exception leaves it
        raise ValueError(f) from e


def by_type(model, files):
    for f in files:
        try:
            label(model, f)
        except Exception as e:  # ok: the type decides
            if isinstance(e, (trainvet.Fault, KeyboardInterrupt)):
                raise
            log.warning("%s", e)


def is_fault(e):
    return isinstance(e, trainvet.Fault)


def raise_if_fault(e):
    if isinstance(e, trainvet.Fault):
        raise e


def by_helper(model, files):
    for f in files:
        try:
            label(model, f)
        except Exception as e:  # ok: the helper tests the type
            if is_fault(e):
                raise
            log.warning("%s", e)


def by_raiser(model, files):
    for f in files:
        try:
            label(model, f)
        except Exception as e:  # ok: the helper raises it
            raise_if_fault(e)
            log.warning("%s", e)


def ends(model, files):
    for f in files:
        try:
            label(model, f)
        except Exception as e:  # ok: the process ends
            print(e)
            sys.exit(1)


def fail(text):
    raise SystemExit(text)


def ends_by_helper(model, files):
    for f in files:
        try:
            label(model, f)
        except Exception as e:  # ok: fail never returns
            fail(str(e))


def narrow(model, files):
    for f in files:
        try:
            label(model, f)
        except (KeyError, FileNotFoundError):  # ok: a fault is none of them
            continue


def no_source(files):
    for f in files:
        try:
            json.loads(f)
        except Exception:  # ok: nothing there comes from a device
            continue


def later(model, files):
    error = None
    for f in files:
        try:
            label(model, f)
        except Exception as e:  # ok: it is raised behind the loop
            error = e
    if error is not None:
        raise error


def future(model, f, fut):
    try:
        fut.set_result(label(model, f))
    except Exception as e:  # ok: whoever waits gets it
        fut.set_exception(e)


def inner(model, files):
    for f in files:
        try:
            with contextlib.suppress(FileNotFoundError):
                os.remove(f)
        except Exception:  # ok: no source in the try
            continue


def only_else(model, f):
    try:
        f = os.fspath(f)
    except Exception:  # ok: the else block is not caught
        return None
    else:
        return label(model, f)


def host(texts):
    out = []
    for text in texts:
        try:
            ids = tok(text).input_ids
            out.append(tok.decode(ids))
        except Exception:  # want TV201 "its ids never left the host"
            continue
    return out


def profile(model, x, ops):
    for op in ops:
        try:
            op(model(x)).sum().backward()
        except Exception:  # ok: a profile of operations of which some do not run
            print("nan")


def answered(model, queue):
    for batch in queue:
        try:
            out = [label(model, x) for x in batch]
        except Exception as e:  # ok: each of those who wait gets the exception itself
            out = [e] * len(batch)
        queue.answer(out)


def again(ids):
    try:
        return tok.decode(ids)
    except Exception:  # ok: the same ids are decoded again, and the same fault is raised again
        return tok.decode([ids])


def other_again(model, x, ids):
    try:
        return tok.decode(model.generate(x)[0])
    except Exception:  # want TV201 "takes what is left for a result"
        return tok.decode(ids)


def again_quietly(ids):
    try:
        return tok.decode(ids)
    except Exception:  # want TV201 "takes what is left for a result"
        try:
            return tok.decode([ids])
        except Exception:  # want TV201 "takes what is left for a result"
            return ""


def threads(model, parts, pool):
    errors, out = [], []

    def work(part):
        for x in part:
            try:
                out.append(label(model, x))
            except Exception as e:  # ok: it is raised where the threads have been waited for
                errors.append(e)
                return

    pool.map(work, parts)
    if errors:
        raise errors[0]
    return out


def threads_unless(model, parts, pool):
    errors, out = [], []

    def work(part):
        for x in part:
            try:
                out.append(label(model, x))
            except Exception as e:  # want TV201 "one item that failed"
                errors.append(e)

    pool.map(work, parts)
    if not out:
        raise errors[0]
    return out
