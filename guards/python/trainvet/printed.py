"""Values that are printed and were never computed: a 0 that stands in the source, put
in the place of one that is missing or not a number.

Printed is a text, so what it was made of is asked of the line that prints: its source
says which expressions were formatted, and the frame which objects they were. Nothing
is evaluated. Looked at are lines alone in which a value of an evaluation is 0."""

import functools
import re
import sys
import weakref

from trainvet import caller, defaults, expressions

ZERO = re.compile(r"([A-Za-z][\w@/.\-]*)[\s:=|\"']+-?0(?:\.0*)?(?:e[+-]0+)?(?![\w.])")
LOOKS = 256  # lines that are looked at
KEPT = 64  # zeros that were made of NaN
DEPTH = 24  # frames of whoever stands between the trainer and the stream
TRAINERS = 4  # frames of the trainer: a function of its own that prints what it is given
BETWEEN = ("logging", "tqdm", "loguru", "rich", "contextlib", "functools")


class Guard:
    def __init__(self, live, compilers):
        self.live = live
        self.looks = 0
        self.streams, self.replaced = [], []  # (object, what it had, ours)
        self.made = []  # zeros that nan_to_num made of a NaN since a line was looked at
        self.sound = False  # whether it was given a number meanwhile
        compilers.leave += (self.leave,)

    def actions(self):
        return {"torch": self.listen, "numpy": self.numbers}

    def listen(self, module):
        for stream in (sys.stdout, sys.stderr):
            write = getattr(stream, "write", None)
            if write is None or not hasattr(stream, "__dict__"):
                continue
            try:
                stream.write = ours = self.writing(write)
            except AttributeError:
                continue
            self.streams.append((weakref.ref(stream), write, ours))

    def writing(self, original):
        guard = self

        def write(text):
            if guard.looks < LOOKS and type(text) is str and "0" in text:
                guard.see(text)
            return original(text)

        return write

    def numbers(self, module):
        original, guard = module.nan_to_num, self

        @functools.wraps(original)
        def nan_to_num(x, *args, **kwargs):
            out = original(x, *args, **kwargs)
            guard.turned(x, out, sys._getframe(1))
            return out

        module.nan_to_num = nan_to_num
        self.replaced.append((module, original, nan_to_num))

    def leave(self):
        """A compiler would look at them. Numba knows a function of numpy by which one it
        is: what it has seen stays."""
        for ref, original, ours in self.streams:
            stream = ref()
            if stream is not None and vars(stream).get("write") is ours:
                stream.write = original
        for module, original, ours in self.replaced:
            if vars(module).get("nan_to_num") is ours and "numba" not in sys.modules:
                module.nan_to_num = original
        self.streams, self.replaced = [], []

    # what is seen

    def turned(self, x, out, frame):
        """One number, of the trainer's own."""
        try:
            if getattr(x, "shape", ()) != () or isinstance(x, (list, tuple)) or "site-packages" in frame.f_code.co_filename:
                return
            if x == x:
                self.sound = True
            elif out == 0 and len(self.made) < KEPT:
                self.made.append((out, frame.f_code))
        except Exception as e:
            self.live.report("nan_to_num", e)

    def see(self, text):
        try:
            names = [n for n in ZERO.findall(text) if defaults.evaluates(n)]
            if names:
                self.looks += 1
                with self.live.budget:
                    self.look(names, sys._getframe(2))
            if self.made and names:
                self.made, self.sound = [], False
        except Exception as e:
            self.looks = LOOKS
            self.live.report("printed", e)

    def look(self, names, frame):
        trainers = 0
        for _ in range(DEPTH):
            if frame is None or trainers == TRAINERS:
                break
            if not between(frame):
                trainers += 1
                line = expressions.Line.at(frame)
                if line is not None and self.judge(names, line):
                    return
            frame = frame.f_back
        if self.made and not self.sound and len(names) == 1:
            self.say(names[0], "poison", "each number that nan_to_num was given since was NaN")

    def judge(self, names, line):
        """Whether something was said of a value of this line."""
        said = False
        for name in names:
            for found in line.of(name, alone=len(names) == 1):
                effect, why = line.filled(found, self.made)
                if effect:
                    self.say(name, effect, why)
                    said = True
                    break
        return said

    def say(self, name, effect, why):
        step = max(self.live.step, 0)
        self.live.finding("metric-defaulted", effect, "%s is printed as 0, which was not computed: %s" % (name, why), since=step, until=step, metric=pattern(name), once=(name, step, effect))


def pattern(name):
    """Of the name as the audit has it: in small letters, parted in its own way."""
    return "*" + "*".join(re.findall("[a-z0-9]+", name.lower()))


def between(frame):
    """Whether a frame is none of the trainer's."""
    module = frame.f_globals.get("__name__") or ""
    return caller.of_library(module) or module.partition(".")[0] in BETWEEN
