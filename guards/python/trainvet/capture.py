"""What a process prints that trainvet run did not start: into run.log of its run
directory, and on to where it went before.

Standard output and standard error become that file, so that what was printed
stands in one order with the records and outlives any end of the process; a
thread carries on what was added. Where they cannot become one file (a terminal, a
standard error that goes elsewhere, the streams of a notebook, which write to no
descriptor), what Python's streams are given is written down as well."""

import os
import sys
import threading
import time

LOG = "run.log"
EVERY = 0.05  # seconds between two looks
PIECE = 1 << 16


def begin(directory):
    """Returns the capture; None where the file cannot be made."""
    try:
        return Capture(os.path.join(directory, LOG))
    except OSError:
        return None


class Capture:
    def __init__(self, path):
        self.log = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        self.pid, self.read = os.getpid(), os.fstat(self.log).st_size
        self.lock = threading.Lock()
        self.before = {}  # by descriptor: a copy of what it was
        self.written = []  # (stream, its write) that have no descriptor
        self.ended = False
        one = same(1, 2) and not os.isatty(1)
        for stream, fd in ((sys.stdout, 1), (sys.stderr, 2)):
            if one and has_descriptor(stream, fd):
                self.take(stream, fd)
            elif stream is not None and hasattr(stream, "write"):
                self.listen(stream)
        if self.before:
            threading.Thread(target=self.follow, name="trainvet-capture", daemon=True).start()

    def take(self, stream, fd):
        stream.flush()
        self.before[fd] = os.dup(fd)
        os.dup2(self.log, fd)

    def listen(self, stream):
        original, log = stream.write, self.log

        def write(text):
            n = original(text)
            try:
                if isinstance(text, str) and not self.ended:
                    os.write(log, text.encode("utf-8", "replace"))
            except OSError:  # a full disk
                pass
            return n

        try:
            stream.write = write
            self.written.append((stream, original))
        except AttributeError:  # written in C
            setattr(sys, "stdout" if stream is sys.stdout else "stderr", Tee(stream, write))
            self.written.append((stream, None))

    def follow(self):
        while not self.ended:
            time.sleep(EVERY)
            self.carry()

    def carry(self):
        """Both streams were one before, and are one in the file."""
        to = self.before.get(1)
        with self.lock:
            while to is not None:
                piece = os.pread(self.log, PIECE, self.read)
                if not piece:
                    return
                self.read += len(piece)
                while piece:
                    piece = piece[os.write(to, piece) :]

    def end(self):
        """The streams are what they were, and have all that was printed."""
        if self.ended or os.getpid() != self.pid:
            return
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError, AttributeError):
                pass
        for fd, before in self.before.items():
            os.dup2(before, fd)
        self.ended = True
        try:
            self.carry()
        except OSError:  # whoever read it is gone
            pass
        for stream, original in self.written:
            if original is not None:
                stream.write = original
            elif isinstance(sys.stdout, Tee) and sys.stdout.stream is stream:
                sys.stdout = stream
            elif isinstance(sys.stderr, Tee) and sys.stderr.stream is stream:
                sys.stderr = stream


class Tee:
    """A stream that cannot be given another write."""

    def __init__(self, stream, write):
        self.stream, self.write = stream, write

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def __getattr__(self, name):
        return getattr(self.stream, name)

    def __iter__(self):
        return iter(self.stream)


def same(a, b):
    try:
        return os.path.samestat(os.fstat(a), os.fstat(b))
    except OSError:  # one is closed
        return False


def has_descriptor(stream, fd):
    try:
        return stream.fileno() == fd and not type(stream).__module__.startswith("ipykernel")
    except (OSError, ValueError, AttributeError):  # none, or closed
        return False
