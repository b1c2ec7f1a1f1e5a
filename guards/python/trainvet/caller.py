"""Who called: the first frame that is the trainer's own, and the site of the
guard ledger that stands there."""

import os
import sys

# Libraries that call each other; what calls them is the trainer.
LIBRARIES = ("transformers", "tokenizers", "sentencepiece", "tiktoken", "torch", "accelerate", "lightning", "pytorch_lightning", "deepspeed", "trainvet")

OPTIMIZED = 1  # of the flags of code: its names are no dict of their own
OURS = 3  # references: the frame's, the name's, the question's


def place(depth=2):
    """(file, line, function) of the first frame outside the libraries, else of
    the nearest one."""
    frame = sys._getframe(depth)
    nearest = frame
    while frame is not None:
        if not of_library(frame.f_globals.get("__name__") or ""):
            return describe(frame)
        frame = frame.f_back
    return describe(nearest)


def of_library(module):
    return module.partition(".")[0] in LIBRARIES or module.startswith("importlib")


def locals_of(frame):
    """What a function that runs holds by name, as of now. Before Python 3.13 the frame
    keeps what it was asked for until the function ends, and with it the loss and the
    outputs of that moment; it is made to forget them, unless the function looks at
    its locals() too."""
    kept = frame.f_locals
    if not frame.f_code.co_flags & OPTIMIZED:
        return kept  # the names themselves
    held = dict(kept)
    if type(kept) is dict and sys.getrefcount(kept) <= OURS:
        kept.clear()
    return held


def describe(frame):
    code = frame.f_code
    return code.co_filename, frame.f_lineno, getattr(code, "co_qualname", code.co_name)


class Ledger:
    """sites.json of the run directory: the sites of the trainer's sources with
    the lines that they had when the run began. Read when it is first asked."""

    def __init__(self, directory):
        self.directory = directory
        self.root, self.files = "", None

    def by_file(self):
        if self.files is None:
            self.files = {}
            for entry in self.read():
                self.files.setdefault(os.path.basename(entry["file"]), []).append(entry)
        return self.files

    def read(self):
        try:
            with open(os.path.join(self.directory, "sites.json"), encoding="utf-8") as f:
                text = f.read()
        except OSError:
            return ()  # no sources were looked at
        import json

        inventory = json.loads(text)
        self.root = inventory["root"]
        return inventory["sites"]

    def find(self, file, line, kind, name):
        """(identity, state) of the site that calls a name; both empty where there
        is none, or there are two and nobody can tell."""
        found = [e for e in self.by_file().get(os.path.basename(file), ())
                 if e["kind"] == kind and e["line"] <= line <= e.get("end_line", e["line"]) and ends_with(file, e["file"])]
        if len(found) > 1:
            found = [e for e in found if e["callee"].rpartition(".")[2] == name]
        if len(found) != 1:
            return "", ""
        return found[0]["id"], found[0]["state"]

    def decodes(self, files):
        """The decodes in files that were run, but those that are exempt."""
        for file in files:
            for e in self.by_file().get(os.path.basename(file), ()):
                if e["kind"] == "decode" and e["state"] != "exempt" and os.path.join(self.root, e["file"]) == file:
                    yield file, e


def ends_with(path, tail):
    path = path.replace(os.sep, "/")
    return path == tail or path.endswith("/" + tail)
