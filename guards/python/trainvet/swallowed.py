"""Faults that were raised and that somebody ate: a handler that takes each item
apart, counts what failed, and lets the run end as if nothing had been.

A fault that nobody holds any more did not reach the top. Its traceback ends in
the frame that caught it; where it was wrapped into another one, the frame that
let go of that one is on the way."""

import sys
import weakref

from trainvet import fault

# They carry an error to another process, which is told of it there.
CARRIERS = ("multiprocessing", "concurrent.futures.process", "torch.multiprocessing", "torch.utils.data")
# They end a thread by it, or keep it for one who may never ask.
KEEPERS = ("threading", "concurrent.futures", "asyncio")


class Guard:
    def __init__(self, live):
        self.live = live
        self.held = weakref.WeakSet()  # faults that are on their way
        fault.Fault.born = self.held.add
        fault.Fault.gone = self.gone
        live.after.append(self.ending)

    def gone(self, error):
        """The last one who held it lets it go; it stands two frames up."""
        try:
            self.eaten(error, sys._getframe(2))
        except ValueError:  # nobody is left
            self.eaten(error, None)
        except Exception as e:
            self.live.report("a fault that was eaten", e)

    def ending(self):
        """What is held at the end was kept, not passed on, but for what ends the
        process now."""
        fault.Fault.born = fault.Fault.gone = None
        top = set(chain(getattr(sys, "last_value", None)))
        for error in list(self.held):
            if id(error) not in top:
                self.eaten(error, None)

    def eaten(self, error, letting_go):
        trace = error.__traceback__
        if trace is None:
            return  # it was made and never raised
        frame, line = trace.tb_frame, trace.tb_lineno
        if module_of(frame).startswith(CARRIERS):
            return
        caught = None
        if letting_go is not None and letting_go is not frame and letting_go in callers(frame):
            caught = handler(letting_go, letting_go.f_lineno, inside=True)
            frame = letting_go if caught is not None else frame
        if module_of(frame).startswith(KEEPERS):
            while trace.tb_next is not None and module_of(trace.tb_frame).startswith(KEEPERS):
                trace = trace.tb_next
            frame, line, how = trace.tb_frame, trace.tb_lineno, "nobody asked for it: a thread ended by it"
        else:
            line, how = caught or handler(frame, line) or (line, "a handler ate it")
        name = getattr(frame.f_code, "co_qualname", frame.f_code.co_name)
        place = "%s:%d in %s" % (frame.f_code.co_filename, line, name)
        if ("eaten", place) in self.live.said:
            return
        self.live.said.add(("eaten", place))
        self.live.fault("fault-swallowed", "%s at %s: the fault was raised (%s), and the run went on" % (how, place, error))


def chain(error):
    """An error, what it was raised from, and what it was raised while handling."""
    seen, work = {}, [error]
    while work:
        e = work.pop()
        if e is not None and id(e) not in seen:
            seen[id(e)] = e
            work += [e.__cause__, e.__context__]
            work += getattr(e, "exceptions", ())
    return seen


def callers(frame):
    out = []
    while frame is not None:
        out.append(frame)
        frame = frame.f_back
    return out


def module_of(frame):
    return frame.f_globals.get("__name__") or ""


def handler(frame, line, inside=False):
    """The line of the handler around, or behind, a line of a frame, and what it
    is: except Exception. None where there is no such, or no source. Inside: the
    line is one of the handler itself."""
    import ast
    import linecache

    text = "".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals))
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    best = None
    for node in ast.walk(tree):  # from the outside inwards: the last one that fits is the nearest
        if isinstance(node, (ast.With, ast.AsyncWith)) and within(node.body, line) and not inside:
            best = node.lineno, "a with statement ate it"
        for h in getattr(node, "handlers", ()):
            if within(h.body, line) or h.lineno == line or (not inside and within(node.body, line) and takes(h, frame)):
                best = h.lineno, "except %s ate it" % source(text, h.type)
                break
    return best


def within(body, line):
    return bool(body) and body[0].lineno <= line <= last_line(body[-1])


def last_line(node):
    return getattr(node, "end_lineno", None) or node.lineno


def source(text, node):
    import ast

    return (ast.get_source_segment(text, node) or "" if node is not None else "").strip()


def takes(h, frame):
    """Whether a handler catches faults, as far as its names say."""
    import ast

    if h.type is None:
        return True
    classes = h.type.elts if isinstance(h.type, ast.Tuple) else [h.type]
    return any(issubclass(fault.TokenRangeFault, named(c, frame)) for c in classes)


def named(node, frame):
    """The class that a name stands for; none of ours where that is not known."""
    import ast

    value = None
    if isinstance(node, ast.Name):
        for scope in (frame.f_globals, frame.f_builtins):
            if node.id in scope:
                value = scope[node.id]
                break
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        value = getattr(frame.f_globals.get(node.value.id), node.attr, None)
    return value if isinstance(value, type) else ()
