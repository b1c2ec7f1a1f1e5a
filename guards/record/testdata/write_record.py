"""A second writer of run record v1, in nothing but Python's standard library.

The Go test runs it and reads the file back: it shows that the line form can
be produced exactly from Python 3.8 on. Usage: write_record.py FILE
"""
import json
import math
import os
import sys
import time
import zlib

VERSION = 1


def encode(head, data):
    """One line: JSON without its last brace, then the CRC of those bytes."""
    body = json.dumps(dict(head, data=data), allow_nan=False, separators=(",", ":"))[:-1].encode("ascii")
    return body + b',"crc":"%08x"}\n' % (zlib.crc32(body) & 0xFFFFFFFF)


def number(x):
    """JSON has no NaN and no infinity."""
    if math.isnan(x):
        return "nan"
    if math.isinf(x):
        return "inf" if x > 0 else "-inf"
    return x


class Writer:
    def __init__(self, path, rank=None, sink=None):
        self.fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self.rank, self.sink, self.seq = rank, sink, 0

    def write(self, kind, data):
        self.seq += 1
        head = {"v": VERSION, "type": kind, "wall": time.time_ns(), "mono": time.monotonic_ns(), "pid": os.getpid()}
        if self.rank is not None:
            head["rank"] = self.rank
        head["seq"] = self.seq
        if self.sink:
            head["sink"] = self.sink
        os.write(self.fd, encode(head, data))


def main(path):
    st = os.stat(sys.argv[0])
    w = Writer(path, rank=0, sink={"dev": st.st_dev, "ino": st.st_ino, "off": 4096})
    w.write("boot", {"run": "r1", "host": "h", "boot_id": "", "ppid": os.getppid(), "start": time.time_ns(),
                     "lang": "python", "runtime": "%d.%d" % sys.version_info[:2], "guards": "0",
                     "argv": ["train.py", "\u00e4 \"quoted\" \u2028 \x1b[31m \U0001f600"], "why": "libtorch",
                     "world": 1, "frameworks": [{"name": "torch", "version": "2.14.1"}], "checks": ["decode", "steps"]})
    w.write("fault", {"code": "ids-signature", "effect": "poison", "scope": "process", "site": 1,
                      "value": str(72340172838076673), "row": 3, "col": 7, "text": "0x01 fill"})
    for name, x in (("loss", float("nan")), ("loss", float("inf")), ("loss", float("-inf")), ("loss", 0.1),
                    ("loss", 1e-300), ("loss", 1e22), ("loss", -0.0), ("eval_wer", 12.5)):
        w.write("metric", {"name": name, "value": number(x), "split": "val", "n": 37, "step": 2**53 + 1})
    w.write("end", {"why": "exit", "lost": 0, "hook_errors": 0})


if __name__ == "__main__":
    main(sys.argv[1])
