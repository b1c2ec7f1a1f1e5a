"""Before the trainer: buffers, faulthandler, the boot record.

start() does each of its steps apart: one that fails is written to the record
and the next one is done. It runs once in a process, however often it is called
(a site that is processed twice imports sitecustomize twice)."""

import atexit
import os
import sys

from trainvet import process, record, streams

_run = None

CHECKS = ("decode", "finite", "steps")


def start(directory):
    """Begins in the run directory that TRAINVET_RUN names, else in the given
    one: the folder that holds the file from which this was imported."""
    global _run
    if _run is not None:
        return
    _run = Run(os.environ.get("TRAINVET_RUN") or directory)
    _run.step("line buffering", lambda: streams.by_line(_run.out.sink, process.world() > 1))
    _run.step("faulthandler", fault_handler)
    _run.boot("start", (), ())
    _run.step("guards", _run.guard)
    _run.tell()
    atexit.register(_run.end)


def fault_handler():
    """PYTHONFAULTHANDLER does the same, where it arrives."""
    import faulthandler

    if not faulthandler.is_enabled():
        faulthandler.enable()


class Run:
    """The record of this process and the errors of its guards."""

    def __init__(self, directory):
        self.directory = directory
        self.out = record.Writer(directory, process.rank())
        self.pid = os.getpid()
        self.started = process.started()  # asked once: the clock that it is reckoned by drifts
        self.errors, self.untold = [], []
        self.guards = None
        self.ended = self.forked = False

    def guard(self):
        from trainvet import guards

        self.guards = guards.Guards(self)
        self.guards.install()

    def step(self, what, do):
        try:
            do()
        except Exception as e:  # it is recorded, and the trainer goes on
            text = "%s: %s: %s" % (what, type(e).__name__, e)
            self.errors.append(text)
            self.untold.append(text)

    def boot(self, why, checks, frameworks):
        self.step("boot record", lambda: self.out.write("boot", self.describe(why, checks, frameworks)))
        if why == "start":  # later ones are told by the guards themselves
            self.tell()

    def tell(self):
        """Errors of what is done before the trainer: guards tell of their own."""
        untold, self.untold = self.untold, []
        for text in untold:
            self.out.write("finding", hook_error(text))

    def describe(self, why, checks, frameworks):
        rank = process.local_rank()
        data = {
            "run": os.path.basename(os.path.abspath(self.directory)),
            "host": process.host(),
            "boot_id": process.boot_id(),
            "ppid": os.getppid(),
            "start": self.started,
            "lang": "python",
            "runtime": "%d.%d.%d" % sys.version_info[:3],
            "guards": "",
            "argv": process.argv(),
            "world": process.world(),
        }
        if rank is not None:
            data["local_rank"] = rank
        data.update(
            why=why,
            frameworks=list(frameworks),
            checks=list(checks),
            off=[{"check": c, "why": "its library is not imported"} for c in CHECKS if c not in checks],
        )
        return data

    def fork(self, checks, frameworks):
        """In a child: it begins with its first record."""
        self.pid, self.forked, self.ended, self.errors = os.getpid(), True, False, []
        self.untold = []
        self.started = process.started()
        self.out.forked(lambda: self.boot("fork", checks, frameworks))

    def end(self):
        """Once; a fork that wrote nothing has no record that could end."""
        if not self.ended and os.getpid() == self.pid and (self.out.fd is not None or not self.forked):
            self.ended = True
            if self.guards is not None:
                self.step("last totals", self.guards.live.end)
            self.out.write("end", {"why": "exit", "lost": self.out.lost, "hook_errors": len(self.errors)})
            self.out.close()


def hook_error(text):
    return {
        "code": "hook-error",
        "class": "hook",
        "effect": "note",
        "scope": "process",
        "site": 0,
        "metric": "",
        "name": "",
        "text": text,
    }
