"""The run record, version 1: one JSON object a line, closed by the CRC-32 of
all bytes before it, appended by one write to a file that belongs to this
process. What was written survives every end of the process."""

import binascii
import os
import time
from _thread import RLock

try:
    from _json import encode_basestring_ascii as quote  # json imports re, which takes longer than all of this
except ImportError:
    from json.encoder import encode_basestring_ascii as quote

FOLDER = "records"


class Writer:
    """Opens its file at the first record. A record that cannot be written is
    counted and leaves a hole in the sequence; nothing is raised."""

    def __init__(self, directory, rank):
        self.directory = directory
        self.rank = rank
        self.sink = find_sink(directory)
        self.fd = None
        self.seq = 0
        self.lost = 0
        self.first = None  # called once, before the first record
        self.lock = RLock()  # threads decode too: a number and its line go together

    def write(self, kind, data, place=None):
        with self.lock:
            first, self.first = self.first, None
            if first is not None:
                first()
            self.seq += 1
            try:
                if self.fd is None:
                    self.fd = self.open()
                line = self.line(kind, data, place)
                if os.write(self.fd, line) != len(line):
                    self.lost += 1
            except (OSError, ValueError):  # a full disk, a directory that is gone
                self.lost += 1

    def open(self):
        folder = os.path.join(self.directory, FOLDER)
        if not os.path.isdir(folder):
            raise OSError("no run directory")
        base = os.path.join(folder, "%d-%s" % (os.getpid(), base36(time.time_ns())))
        for n in range(1000):
            try:
                name = base + ("-%d" % n if n else "") + ".jsonl"
                return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
            except FileExistsError:
                continue
        raise OSError("no free name for the run record")

    def line(self, kind, data, place=None):
        head = {"v": 1, "type": kind, "wall": time.time_ns(), "mono": monotonic(), "pid": os.getpid()}
        if self.rank is not None:
            head["rank"] = self.rank
        head["seq"] = self.seq
        at = place or self.place()
        if at is not None:
            head["sink"] = at
        head["data"] = data
        body = encode(head)[:-1].encode("ascii")
        return body + b',"crc":"%08x"}\n' % (binascii.crc32(body) & 0xFFFFFFFF)

    def place(self):
        """Where the captured output stands: all bytes below were written before."""
        for fd in (1, 2):
            try:
                st = os.fstat(fd)
            except OSError:
                continue
            if (st.st_dev, st.st_ino) == self.sink and st.st_mode & 0o170000 == 0o100000:
                return {"dev": st.st_dev, "ino": st.st_ino, "off": st.st_size}
        return None

    def forked(self, first):
        """In a child: the file is the parent's, and so are its numbers. A thread
        that held the lock is not there any more."""
        self.lock = RLock()
        if self.fd is not None:
            os.close(self.fd)
        self.fd, self.seq, self.lost, self.first = None, 0, 0, first

    def close(self):
        if self.fd is not None:
            os.close(self.fd)
            self.fd = None


def find_sink(directory):
    """The file or pipe that trainvet records, as (device, inode): as the
    environment names it, else the log of the run directory."""
    device, colon, inode = os.environ.get("TRAINVET_SINK", "").partition(":")
    if colon and device.isdigit() and inode.isdigit():
        return int(device), int(inode)
    try:
        st = os.stat(os.path.join(directory, "run.log"))
    except OSError:
        return None
    return st.st_dev, st.st_ino


def monotonic():
    """The machine's monotonic clock, which all its processes share."""
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC) if hasattr(time, "clock_gettime_ns") else time.monotonic_ns()


def base36(n):
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    out = ""
    while n:
        n, d = divmod(n, 36)
        out = digits[d] + out
    return out or "0"


MAX_TEXT = 4096
MAX_LIST = 64


def encode(v):
    """The JSON of what records hold, texts and lists cut to what a line may take."""
    if isinstance(v, str):
        return quote(v if len(v) <= MAX_TEXT else v[: MAX_TEXT - 1] + "\u2026")
    if isinstance(v, bool):
        return "true" if v else "false"
    if isinstance(v, int):
        return str(v)
    if isinstance(v, float):
        return repr(v) if v - v == 0 else '"nan"' if v != v else '"inf"' if v > 0 else '"-inf"'
    if isinstance(v, (list, tuple)):
        return "[" + ",".join(encode(x) for x in v[:MAX_LIST]) + "]"
    return "{" + ",".join(quote(k) + ":" + encode(x) for k, x in v.items()) + "}"
