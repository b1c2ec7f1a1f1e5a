"""Where a run stands that makes no steps any more: the stacks of all threads, in a
file of the run directory, written by faulthandler from outside of Python.

The time after which it writes is long and grows with what the run itself takes
between two steps: an evaluation, a checkpoint, a first compilation. What it writes
is evidence, never a verdict. A trainer that uses dump_traceback_later itself keeps
it."""

import os
import time

PATIENCE = 300.0  # seconds
TIMES = 10  # of the longest time between two steps so far
REARMED = 5.0  # seconds after which the clock is set anew
SHORT = 0.05  # seconds: steps that take less are looked at seldom
MAX_TOLD = 8
VARIABLE = "TRAINVET_HANG_SECONDS"


class Guard:
    def __init__(self, live, stepping, directory):
        self.live, self.stepping, self.directory = live, stepping, directory
        self.file = self.path = None
        self.armed, self.last, self.longest, self.patience = -REARMED, 0.0, 0.0, 0.0
        self.step = self.size = 0  # at the last look; of the file, as far as it is true
        self.theirs, self.told = False, 0
        self.least = patience()
        stepping.before.append(self.beat)
        live.after.append(self.end)

    def actions(self):
        return {"faulthandler": self.faulthandler}

    def faulthandler(self, module):
        """The trainer's own calls; ours go past this."""
        self.module, self.later, self.cancel = module, module.dump_traceback_later, module.cancel_dump_traceback_later
        guard = self

        def dump_traceback_later(*args, **kwargs):
            guard.theirs = True
            return guard.later(*args, **kwargs)

        module.dump_traceback_later = dump_traceback_later

    def beat(self, optimizer):
        """Before a step; of short ones, before each that is looked at anyway."""
        now, last = time.monotonic(), self.last
        self.last = now
        took = now - last
        if self.theirs or not self.least:
            self.stepping.leave(self.beat)
        elif now - self.armed >= REARMED or took > self.longest:
            self.slowly(now, took)
        elif took < SHORT:
            self.seldom(True)
        self.step = self.live.step

    def slowly(self, now, took):
        if took < now:  # not the first one
            self.longest = max(self.longest, took)
            if took > self.patience > 0:
                self.stood(took)
        if now - self.armed >= REARMED:
            self.arm(now)
            self.seldom(False)

    def seldom(self, so):
        """What was short once may be long later: that is asked each time the clock is set."""
        both = self.stepping.before, self.stepping.seldom_before
        both[so].append(self.beat)
        both[not so].leave(self.beat)

    def arm(self, now):
        if self.file is None and not self.open():
            return
        self.armed, self.patience = now, max(self.least, TIMES * self.longest)
        self.later(self.patience, file=self.file)

    def open(self):
        self.path = os.path.join(self.directory, "stacks-%d.tvr" % os.getpid())
        try:
            self.file = open(self.path, "w")
        except OSError:
            self.theirs = True  # there is no place for it
        return self.file is not None

    def stood(self, seconds):
        """It went on: what it did meanwhile is told, unless it made steps that nobody looked at."""
        if self.live.step > self.step + 1:
            self.file.seek(self.size)
            self.file.truncate()
            return
        self.file.flush()
        with open(self.path) as f:
            text = f.read()
        self.size, where = os.path.getsize(self.path), place(text)
        if where and self.told < MAX_TOLD:
            self.told += 1
            self.live.finding("no-step-for-long", "note", "after step %d none was made for %.0f seconds; the stacks of then are in %s, the main thread was at %s" % (self.live.step, seconds, os.path.basename(self.path), where),
                              since=self.live.step, until=self.live.step, once=self.live.step)

    def end(self):
        if self.file is None:
            return
        if not self.theirs:
            self.cancel()
        self.file.close()
        self.file = None
        if os.path.getsize(self.path) == 0:
            os.unlink(self.path)

    def forked(self):
        self.file, self.size = None, 0  # the clock is the parent's, and its file
        self.armed, self.last, self.longest, self.patience = -REARMED, 0.0, 0.0, 0.0


def patience():
    """0 switches it off."""
    try:
        return max(float(os.environ.get(VARIABLE, PATIENCE)), 0.0)
    except ValueError:
        return PATIENCE


def place(text):
    """The innermost line of the main thread that is no library's: faulthandler lists
    it last, the most recent call first."""
    where = ""
    for line in text.split("\n"):
        if line.startswith(("Thread ", "Current thread ", "Timeout ")):
            where = ""
        elif line.startswith('  File "') and not where and not library(line):
            where = line[len('  File "') :].replace('", line ', ":")
    return where


def library(line):
    return "site-packages" in line or "/lib/python" in line or 'File "<' in line or "trainvet/" in line
