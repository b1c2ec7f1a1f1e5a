"""Which decodes of the trainer's sources the guards met, of those that stand in
files that this process ran.

One that was not met did not run, as long as each way into the tokenizer
libraries is still guarded. Where a guard was taken out it may have run, and
nobody looked."""

import os
import sys

# Where each library makes text of ids: a module, a class in it, a method.
WAYS = (
    ("transformers.tokenization_utils_base", "PreTrainedTokenizerBase", "decode"),
    ("transformers.tokenization_utils_base", "PreTrainedTokenizerBase", "batch_decode"),
    ("transformers.processing_utils", "ProcessorMixin", "decode"),
    ("transformers.processing_utils", "ProcessorMixin", "batch_decode"),
    ("tokenizers", "Tokenizer", "decode"),
    ("tokenizers", "Tokenizer", "decode_batch"),
    ("sentencepiece", "SentencePieceProcessor", "decode"),
    ("sentencepiece", "SentencePieceProcessor", "Decode"),
    ("tiktoken.core", "Encoding", "decode"),
    ("tiktoken.core", "Encoding", "decode_batch"),
    ("whisper.tokenizer", "Tokenizer", "decode"),
)
MAX_SITES = 256


class Guard:
    def __init__(self, live, ledger, decodes):
        self.live, self.ledger, self.decodes = live, ledger, decodes
        self.script = None
        live.after.append(self.summary)

    def started(self):
        """Python takes the name away from the script when it is through."""
        self.script = self.script or getattr(sys.modules.get("__main__"), "__file__", None)

    def summary(self):
        """One site for each decode that was not met."""
        if not any(module in sys.modules for module, _, _ in WAYS):
            return
        met = {s.row["id"] for s in self.decodes.sites.values() if s.number}
        rest = [(file, e) for file, e in self.ledger.decodes(files_run(self.script)) if e["id"] not in met]
        if rest:
            out = taken_out()
            for file, e in rest[:MAX_SITES]:
                self.site(file, e, out)

    def site(self, file, e, out):
        out = [way for way in out if way.rpartition(".")[2] == e["callee"].rpartition(".")[2]]
        why = "it was not reached"
        if out:
            why = "the guard of %s was taken out" % ", ".join(out)
        self.live.site(("not met", e["id"]), lambda: {
            "kind": "decode", "name": e["callee"], "id": e["id"], "state": e["state"], "file": file, "line": e["line"],
            "function": e["function"], "vocab": 0, "width": 0, "bound": "", "live": not out, "why": why})


def files_run(script):
    """The sources of what is imported, and the script."""
    out = set()
    for name in [script] + [file_of(module) for module in list(sys.modules.values())]:
        if isinstance(name, str) and name.endswith(".py"):
            out.add(os.path.abspath(name))
    return out


def file_of(module):
    """As it is written down in the module: to ask one that is lazy would load it."""
    try:
        return object.__getattribute__(module, "__dict__").get("__file__")
    except AttributeError:
        return None


def taken_out():
    """The ways that no guard stands at any more."""
    out = []
    for home, kind, method in WAYS:
        cls = getattr(sys.modules.get(home), kind, None)
        here = getattr(cls, "__dict__", {}).get(method)
        if here is not None and not guarded(here):
            out.append("%s.%s" % (kind, method))
    return out


def guarded(function):
    """Whether it is ours, or was wrapped around ours."""
    for _ in range(8):
        if function is None or getattr(function, "__trainvet__", False):
            return function is not None
        function = getattr(function, "__wrapped__", None)
    return False
