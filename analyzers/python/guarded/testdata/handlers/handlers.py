import contextlib
import sys
import trainvet
from trainvet import Fault


def swallows(tok, model, x):
    try:
        return tok.decode(model.generate(x))
    except Exception as e:  # want "^loses: swallows catches it"
        print(e)


def raises(tok, model, x):
    try:
        return tok.decode(model.generate(x))
    except Exception:  # want "^passes: "
        print("dumped")
        raise


def raises_another(tok, model, x):
    try:
        return tok.decode(model.generate(x))
    except BaseException as e:  # want "^passes: "
        raise RuntimeError("evaluation") from e
    finally:
        model.close()


def raises_sometimes(tok, model, x):
    try:
        return tok.decode(model.generate(x))
    except Exception as e:  # want "^loses: "
        if "memory" in str(e):
            return ""
        raise


def typed(tok, model, x):
    try:
        return tok.decode(model.generate(x))
    except KeyError:  # ok: no fault is one
        return ""


def fault_first(tok, model, x):
    try:
        return tok.decode(model.generate(x))
    except Fault:  # want "^passes: "
        raise
    except Exception:  # ok: the fault is gone by here
        return ""


def fault_last(tok, model, x):
    try:
        return tok.decode(model.generate(x))
    except (ValueError, Exception):  # want "^loses: "
        return ""
    except trainvet.Fault:  # ok: it never comes here
        raise


def asks_the_type(tok, model, x):
    try:
        return tok.decode(model.generate(x))
    except Exception as e:  # want "^passes: "
        if isinstance(e, trainvet.Fault):
            raise
        return ""


def asks_another_type(tok, model, x):
    try:
        return tok.decode(model.generate(x))
    except Exception as e:  # want "^passes: "
        if not isinstance(e, KeyError):
            raise
        return ""


def asks_in_vain(tok, model, x):
    try:
        return tok.decode(model.generate(x))
    except Exception as e:  # want "^loses: "
        if isinstance(e, KeyError):
            raise
        return ""


def ends(tok, model, x):
    try:
        return tok.decode(model.generate(x))
    except Exception as e:  # want "^passes: "
        print(e)
        sys.exit(1)


def fail(e):
    raise SystemExit(str(e))


def fails(tok, model, x):
    try:
        return tok.decode(model.generate(x))
    except Exception as e:  # want "^passes: "
        fail(e)


def bare(tok, model, xs):
    for x in xs:
        try:
            print(tok.decode(model.generate(x)))
        except:  # want "^loses: "
            continue


def drops_finally(tok, model, x):
    try:
        return tok.decode(model.generate(x))
    finally:
        return ""  # want "^loses: drops_finally leaves a finally"


def closes_finally(tok, model, x):
    try:
        return tok.decode(model.generate(x))
    finally:
        for f in model.files:
            if f:
                break  # ok: it leaves a loop of its own


def suppresses(tok, model, x):
    with contextlib.suppress(Exception):  # want "^loses: suppresses suppresses it"
        return tok.decode(model.generate(x))


def suppresses_others(tok, model, x):
    with contextlib.suppress(KeyError):  # ok: no fault is one
        return tok.decode(model.generate(x))


def nested(tok, model, x):
    try:
        try:
            return tok.decode(model.generate(x))
        except Exception:  # want "^passes: "
            raise
    except Exception:  # want "^loses: "
        return ""


def in_a_handler(tok, model, x):
    try:
        model.load()
    except Exception:  # ok: the decode stands in it, not before
        return tok.decode(model.generate(x))


def in_else(tok, model, x):
    try:
        model.load()
    except Exception:  # ok: what stands in the else is not caught
        raise
    else:
        return tok.decode(model.generate(x))


def label(tok, model, x):
    return tok.decode(model.generate(x))


def shard(tok, model, files):
    for f in files:
        try:
            yield label(tok, model, f)
        except Exception as e:  # want "^caller loses: shard"
            yield str(e)


def one(tok, model, x):
    return tok.decode(model.generate(x))


def two(tok, model, x):
    return one(tok, model, x)


def three(tok, model, xs):
    try:
        return list(map(two, xs))
    except Exception:  # want "^caller loses: three"
        return []


class Worker:
    def text(self, x):
        return self.tok.decode(self.model.generate(x))

    def run(self, job, future):
        try:
            future.set_result(self.text(job))
        except Exception as e:  # want "^caller passes: Worker.run catches it and hands it"
            future.set_exception(e)


def within(ids, n):
    if ids.numel() and (ids.max() >= n or ids.min() < 0):
        raise ValueError("impossible id")
    return ids


def own_lost(tok, model, x):
    try:
        return tok.decode(within(model.generate(x), len(tok)))
    except ValueError as e:  # want "^loses: own_lost catches what the check raises and goes on$"
        print(e)


def own_passed(tok, model, x):
    try:
        return tok.decode(within(model.generate(x), len(tok)))
    except ValueError:  # want "^passes: own_passed catches what the check raises and raises$"
        raise SystemExit(1)


def own_branch(tok, model, x):
    try:
        return tok.decode(within(model.generate(x), len(tok)))
    except Exception as e:  # want "^loses: own_branch catches what the check raises and goes on where isinstance.e, ValueError.$"
        if isinstance(e, ValueError):
            return ""
        raise


def own_written_out(tok, model, x):
    ids = model.generate(x)
    try:
        if ids.max() >= len(tok) or ids.min() < 0:
            raise IndexError("impossible id")
    except IndexError:  # ok: a path leads past the check, and the decode is unguarded for it
        ids = ids.clamp(0, len(tok) - 1)
    return tok.decode(ids)


def other_class(tok, model, x):
    try:
        return tok.decode(within(model.generate(x), len(tok)))
    except KeyError:  # ok: neither a fault nor what the check raises
        return ""


def on_a_flag(tok, model, x, strict):
    try:
        return tok.decode(model.generate(x))
    except Exception as e:  # want "^loses: on_a_flag catches it and goes on unless strict$"
        if strict:
            raise
        print(e)
        return ""


def off_a_flag(tok, model, x, quiet):
    try:
        return tok.decode(model.generate(x))
    except Exception:  # want "^loses: off_a_flag catches it and goes on where quiet$"
        if not quiet:
            raise
        return ""
