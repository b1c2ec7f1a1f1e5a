"""Runs checks of one group in this process and reports each as a line of JSON.

The request comes on standard input. What libraries print goes to standard
error: the report has a descriptor of its own. A check that takes the process
with it is known by its "begin" line that no result follows.
"""

import faulthandler
import fnmatch
import importlib
import json
import os
import sys
import time
import traceback

MODULES = {"control": "control", "train": "train", "parity": "parity", "transfer": "transfer", "dtype": "dtypes", "bench": "bench"}


class Skip(Exception):
    """The check cannot be made here; the text says why."""


class Report:
    """Writes lines of JSON to what was standard output."""

    def __init__(self):
        self.out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)

    def line(self, **fields):
        self.out.write(json.dumps(fields, allow_nan=False, default=str) + "\n")
        self.out.flush()


def finite(numbers):
    """JSON has no number for what is not finite: it becomes its name."""
    out = {}
    for key, value in numbers.items():
        if isinstance(value, float) and value - value != 0:
            value = repr(value)
        out[key] = value
    return out


def run(report, name, check, deadline):
    # The stack of what hangs, in time before this process is killed.
    faulthandler.dump_traceback_later(deadline, exit=False)
    report.line(begin=name)
    start = time.monotonic()
    try:
        ok, text, numbers = check()
        status = "pass" if ok else "fail"
    except Skip as why:
        status, text, numbers = "skip", str(why), {}
    except MemoryError:
        status, text, numbers = "skip", "not enough memory", {}
    except Exception as err:
        if is_memory(err):
            status, text, numbers = "skip", "not enough memory on the device", {}
        else:
            where = traceback.extract_tb(err.__traceback__)[-1]
            text = "%s: %s (%s:%d)" % (type(err).__name__, first_line(err), os.path.basename(where.filename), where.lineno)
            status, numbers = "fail", {}
    faulthandler.cancel_dump_traceback_later()
    report.line(result=name, status=status, text=text, numbers=finite(numbers), seconds=time.monotonic() - start)


def is_memory(err):
    return type(err).__name__ == "OutOfMemoryError" or "out of memory" in str(err).lower()


def first_line(err):
    return (str(err).strip().splitlines() or [""])[0][:300]


def load_user(path):
    """Imports the user's file under a name of its own."""
    if not path:
        return None
    import importlib.util

    spec = importlib.util.spec_from_file_location("trainvet_user_ops", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    report = Report()
    faulthandler.enable()
    request = json.loads(sys.stdin.read())
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    group = importlib.import_module(MODULES[request["group"]])
    user = load_user(request.get("ops"))
    checks = group.checks(request, user)
    report.line(facts=group.facts() if hasattr(group, "facts") else {})
    wanted = request.get("checks") or ["*"]
    checks = [c for c in checks if any(fnmatch.fnmatchcase(c[0], w) for w in wanted)]
    report.line(planned=[name for name, _ in checks])
    for name, check in checks:
        run(report, name, check, request["deadline"])
    report.line(done=True)


if __name__ == "__main__":
    # Modules import Skip from "worker", which this file is under another name.
    sys.modules["worker"] = sys.modules["__main__"]
    main()
    sys.stderr.flush()
    os._exit(0)  # a driver's own tear-down is nobody's check
