"""What a trainer wrote itself where a library has the same: a loss scaler, a tokenizer.
No import tells of these. They are looked for where the trainer is at work, among what
its functions hold: when it calls backward, when a model is told its mode, when one that
evaluates gives an output; each time less often."""

import functools
import re
import sys
import types

from trainvet import batch, caller, ownscaler, vocabulary

DEPTH = 24  # frames
LOOKS = 64  # until which the trainer is looked through, whenever their number has doubled
VALUES, OBJECTS = 512, 256  # of one frame or object; of one look
SELF = 2  # levels of objects that hold objects
NAMED = re.compile(r"decode|detok|(^|_)(ids?|tokens?|idx|indices|indexes)_?(to|2)_?(text|str|words?|chars?|sent|tokens?)|(^|_)to_(text|words|str|sent)", re.I)
DECODES = ("decode", "batch_decode", "decode_batch", "convert_ids_to_tokens")


class Guard:
    def __init__(self, live, stepping, training, modes, evaluation, decode, clipped):
        self.live, self.decode, self.training = live, decode, training
        self.scalers = ownscaler.Guard(live, stepping, clipped)
        self.classes = set()  # that were looked at: ids, of classes that are kept alive by what they are held in
        self.asked = self.looks = 0
        training.begun.append(self.backward)
        modes.listeners.append(self.at_work)
        evaluation.outputs.append(self.at_work)

    def backward(self, tensors):
        if self.asked > LOOKS:
            self.training.begun.leave(self.backward)
        self.at_work()

    def at_work(self, *_):
        self.asked += 1
        if self.asked <= LOOKS and self.asked & (self.asked - 1) == 0:
            with self.live.budget:
                self.look(sys._getframe(1))

    def look(self, frame):
        seen, kept = set(), []
        for _ in range(DEPTH):
            if frame is None:
                return
            if not caller.of_library(frame.f_globals.get("__name__") or ""):
                kept.append(caller.locals_of(frame))  # until the end: seen knows it by its id
                self.among(kept[-1], seen)
                self.among(frame.f_globals, seen)
                self.functions(frame.f_globals)
            frame = frame.f_back

    def among(self, held, seen, level=0):
        if id(held) in seen or len(seen) > OBJECTS:
            return
        seen.add(id(held))
        for value in list(held.values())[:VALUES]:
            cls = type(value)
            if cls.__flags__ & HEAP and cls is not type and not caller.of_library(cls.__module__ or ""):
                if id(cls) not in self.classes:
                    self.classes.add(id(cls))
                    self.meet(cls, value)
                inner = getattr(value, "__dict__", None) if level < SELF else None
                if type(inner) is dict:
                    self.among(inner, seen, level + 1)

    def meet(self, cls, value):
        if ownscaler.is_scaler(cls):
            self.scalers.wrap(cls)
        elif is_tokenizer(cls, value):
            self.decode.shelf.own.add(cls)
            for c in own(cls):
                self.decode.wrap_all(c, DECODES)

    def functions(self, held):
        """Those of a module that make text of ids by a table of words beside them."""
        table = vocabulary.words_in({k: v for k, v in list(held.items()) if k[:1] != "_" and not isinstance(v, str)})
        if not table:
            return
        for name, value in list(held.items()):
            if type(value) is types.FunctionType and value.__globals__ is held and NAMED.search(name) and not hasattr(value, "__wrapped__"):
                held[name] = self.looked_at(value, Table(table))

    def looked_at(self, original, table):
        """What is given no ids is some other function, and none of our business."""
        self.decode.shelf.own.add(Table)
        look = self.decode.wrapped(lambda table, ids, call: call(), original.__name__)

        @functools.wraps(original)
        def decode(*args, **kwargs):
            if not args or batch.is_text(args[0]):
                return original(*args, **kwargs)
            ids = batch.read(args[0])
            if ids is None or not ids.n:
                return original(*args, **kwargs)
            return look(table, args[0], lambda: original(*args, **kwargs))

        return decode

    def forked(self):
        self.scalers.forked()


class Table:
    """The words of a module, in the place of a tokenizer."""

    def __init__(self, words):
        self.words = words


HEAP = 1 << 9  # of the flags of a class: it was made by a class statement


def own(cls):
    """The class, and those of its ancestors that no library made."""
    return [c for c in cls.__mro__ if c.__flags__ & HEAP and not caller.of_library(c.__module__ or "")]


def is_tokenizer(cls, value):
    """Something that decodes and holds words: numbers are made images by the decoders
    of models."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.nn.Module):
        return False
    return any(callable(getattr(cls, name, None)) for name in DECODES[:3]) and vocabulary.words(value) > 0
