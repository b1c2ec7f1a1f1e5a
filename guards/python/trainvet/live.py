"""What the guards of this process share: its record, where the run stands, what
was seen. Everything in here may be called from any hook, never raises, and
writes at once: an end by SIGKILL loses nothing that was written."""

import os
import threading

from trainvet import gate

NONE = -1

# How often a total is written: 16 times while it doubles.
FINENESS = 4


class Live:
    """One a process. In a forked child it goes on with a record of its own."""

    def __init__(self, out, report):
        self.out = out
        self.report = report  # an error of a hook: (what, exception)
        self.step = NONE  # optimizer steps asked for so far; NONE: no optimizer was seen
        self.taint = ""
        self.plan = lambda: (0, 0)  # steps planned, samples drawn for training; 0: not known
        self.stop = os.environ.get("TRAINVET_ON_FAULT") == "stop"
        self.sites = {}
        self.counts = []
        self.totals = []  # things with a write() of their own, flushed at the end
        self.local = threading.local()
        self.said = set()
        self.budget = gate.Budget()  # of all checks together
        self.made = []  # weakrefs of the modules that were made, until the first step
        self.after = []  # called when the process ends, before the last totals

    def site(self, key, describe):
        """The number of a site, registered when it is first seen."""
        with self.out.lock:
            number = self.sites.get(key)
            if number is None:
                number = self.sites[key] = len(self.sites) + 1
                row = describe()
                row["site"] = number
                self.out.write("site", row)
            return number

    def count(self, check, site, tallies, each=""):
        c = Count(self, check, site, tallies, each)
        self.counts.append(c)
        return c

    def fault(self, code, text, site=0, value="", row=NONE, column=NONE, scope="process"):
        """A fault sticks: what is computed from here on carries its taint."""
        self.taint = self.taint or code
        self.out.write("fault", {
            "code": code, "effect": "poison", "scope": scope, "site": site, "device": "",
            "value": str(value), "row": row, "col": column, "step": self.step,
            "from": NONE, "until": NONE, "metric": "", "text": text,
        })

    def finding(self, code, effect, text, site=0, kind="quality", since=NONE, until=NONE, metric="", name="", scope="process", once=None, place=None):
        """Once: a key for which only the first finding of its kind is written. Place:
        where the output stood when it began, where it is known only later."""
        if once is not None:
            if (code, once) in self.said:
                return
            self.said.add((code, once))
        self.out.write("finding", {
            "code": code, "class": kind, "effect": effect, "scope": scope, "site": site,
            "from": since, "until": until, "metric": metric, "name": name, "text": text, "said": max(self.step, 0),
        }, place)

    def modules(self):
        """Those that were made in this process and are still there."""
        return [m for m in (ref() for ref in self.made) if m is not None]

    def flush(self):
        for c in self.counts + self.totals:
            c.write()

    def end(self):
        for last in self.after:
            try:
                last()
            except Exception as e:
                self.report("the end of the run", e)
        self.flush()


class Count:
    """How often a check ran, what it looked at, and what it counted. Each: the tally
    of what is looked at one by one, at each call, by a check that counts nothing but
    its calls; its total is written a quarter as often."""

    __slots__ = ("calls", "next", "values", "tally", "live", "check", "site", "each", "fineness", "written")

    def __init__(self, live, check, site, tallies, each=""):
        self.live, self.check, self.site, self.each = live, check, site, each
        self.fineness = FINENESS - 2 if each else FINENESS
        self.calls = self.values = 0
        self.tally = dict.fromkeys(tallies, 0)
        self.next = 1
        self.written = 0

    def start_anew(self):
        self.calls = self.values = self.written = 0
        self.tally = dict.fromkeys(self.tally, 0)
        self.next = 1

    def ran(self, values):
        self.calls += 1
        self.values += values
        if self.calls >= self.next:
            self.write()

    def write(self):
        if self.calls == self.written:
            return
        self.written = self.calls
        self.next = self.calls + max(1, self.calls >> self.fineness)
        if self.each:
            self.values = self.tally[self.each] = self.calls
        self.live.out.write("count", {
            "check": self.check, "site": self.site, "calls": self.calls, "values": self.values,
            "tally": [{"name": k, "n": n} for k, n in self.tally.items()],
        })
