"""Who called: the first frame that is the trainer's own, and the site of the
guard ledger that stands there."""

import os
import sys

# Libraries that call each other; what calls them is the trainer.
LIBRARIES = ("transformers", "tokenizers", "sentencepiece", "tiktoken", "torch", "accelerate", "lightning", "pytorch_lightning", "deepspeed", "trainvet")


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


def describe(frame):
    code = frame.f_code
    return code.co_filename, frame.f_lineno, getattr(code, "co_qualname", code.co_name)


class Ledger:
    """sites.json of the run directory: the sites of the guard ledger with the
    lines that they had when the run began."""

    def __init__(self, directory):
        self.by_file = {}
        try:
            with open(os.path.join(directory, "sites.json"), encoding="utf-8") as f:
                text = f.read()
        except OSError:
            return  # the tree has no ledger
        import json

        for entry in json.loads(text)["sites"]:
            self.by_file.setdefault(os.path.basename(entry["file"]), []).append(entry)

    def find(self, file, line, kind):
        """(identity, state); both empty where the ledger has no site there, or
        has two and cannot tell."""
        found = [e for e in self.by_file.get(os.path.basename(file), ())
                 if e["kind"] == kind and e["line"] <= line <= e.get("end_line", e["line"]) and ends_with(file, e["file"])]
        if len(found) != 1:
            return "", ""
        return found[0]["id"], found[0]["state"]


def ends_with(path, tail):
    path = path.replace(os.sep, "/")
    return path == tail or path.endswith("/" + tail)
