"""The guard of decodes: ids are looked at before a tokenizer makes text of
them, where they are still the numbers that the device gave.

The functions that libraries and trainers go through are wrapped: the methods of
transformers' tokenizers and processors, of tokenizers, sentencepiece, tiktoken
and Whisper. Those that take a single id are left alone: they fill tables. Of nested calls only the outermost looks, where the caller's line
is known; what it cannot read is left to the next one inside."""

import functools

from trainvet import batch, caller, drill, grade, vocabulary
from trainvet.fault import TokenRangeFault

STUCK_AFTER = 32
REVERSE_GAP = 256  # tokens that were added to a tokenizer and not to its model

CODES = {grade.SIGNATURE: "ids-signature", grade.IMPOSSIBLE: "ids-impossible", grade.REVERSE: "ids-reverse-gap"}


class Guard:
    """The decodes of one process."""

    def __init__(self, live, ledger):
        self.live, self.ledger = live, ledger
        self.shelf = vocabulary.Shelf()
        self.widths = vocabulary.Widths()
        self.sites = {}
        self.drill = drill.Drill(live)

    # Where it gets in.

    def actions(self):
        return {
            "transformers.tokenization_utils_base": lambda m: self.family(m.PreTrainedTokenizerBase, ("decode", "batch_decode", "convert_ids_to_tokens")),
            "transformers.processing_utils": lambda m: self.family(m.ProcessorMixin, ("decode", "batch_decode", "post_process_image_text_to_text")),
            "transformers.generation.utils": self.models,
            "tokenizers": lambda m: self.wrap_all(m.Tokenizer, ("decode", "decode_batch")),
            "sentencepiece": lambda m: self.wrap_all(m.SentencePieceProcessor, ("decode", "Decode", "DecodeIds")),
            "tiktoken.core": lambda m: self.wrap_all(m.Encoding, ("decode", "decode_batch", "decode_bytes", "decode_bytes_batch", "decode_with_offsets", "decode_tokens_bytes")),
            "whisper.tokenizer": lambda m: self.wrap_all(m.Tokenizer, ("decode", "decode_with_timestamps")),
        }

    def family(self, base, names):
        """A class, those derived from it, and those that will be."""
        for cls in descendants(base):
            self.wrap_all(cls, names)
        guard = self
        before = base.__dict__.get("__init_subclass__")

        def __init_subclass__(cls, **kwargs):
            if before is not None:
                before.__get__(None, cls)(**kwargs)
            else:
                super(base, cls).__init_subclass__(**kwargs)
            guard.quietly("a tokenizer class", lambda: guard.wrap_all(cls, names))

        base.__init_subclass__ = classmethod(__init_subclass__)

    def wrap_all(self, cls, names):
        for name in names:
            original = cls.__dict__.get(name)
            if original is None or isinstance(original, (staticmethod, classmethod, property)) or getattr(original, "__trainvet__", False):
                continue
            setattr(cls, name, self.wrapped(original, name))

    def wrapped(self, original, name):
        guard, local = self, self.live.local

        @functools.wraps(original)
        def decode(self, *args, **kwargs):
            if getattr(local, "decoding", False):
                return original(self, *args, **kwargs)
            try:
                args, kwargs = guard.drill.feed(args, kwargs)
                local.decoding = guard.look(self, args, kwargs, name)
            except TokenRangeFault:
                raise
            except Exception as e:
                guard.live.report("decode", e)
            try:
                return original(self, *args, **kwargs)
            finally:
                local.decoding = False

        decode.__trainvet__ = True
        return decode

    def models(self, module):
        """What a model that generates says of the width of its logits."""
        guard, mixin = self, module.GenerationMixin
        original = mixin.generate

        @functools.wraps(original)
        def generate(self, *args, **kwargs):
            guard.quietly("generate", lambda: guard.widths.add(width_of(self)))
            return original(self, *args, **kwargs)

        mixin.generate = generate

    def quietly(self, what, do):
        try:
            do()
        except Exception as e:
            self.live.report(what, e)

    # What it does.

    def look(self, tokenizer, args, kwargs, name):
        """Whether the ids could be read: then nobody inside looks again."""
        ids = argument(args, kwargs)
        if batch.is_text(ids):
            return True
        got = batch.read(ids)
        site = self.site(tokenizer, name)
        if got is None:
            site.unread(name, ids)
            return False
        vocab = self.shelf.of(tokenizer)
        if vocab is None:
            site.unread(name, tokenizer)
            return False
        site.check(got, vocab, self.widths)
        return True

    def site(self, tokenizer, name):
        file, line, function = caller.place(4)
        key = (file, line, name)
        site = self.sites.get(key)
        if site is None:
            site = self.sites[key] = Site(self.live, self.ledger, file, line, function, (type(tokenizer).__name__, name))
        return site


class Site:
    """A line of the trainer that decodes."""

    def __init__(self, live, ledger, file, line, function, name):
        self.live = live
        identity, state = ledger.find(file, line, "decode", name[1])
        self.row = {"kind": "decode", "name": ".".join(name), "id": identity, "state": state, "file": file, "line": line,
                    "function": function, "vocab": 0, "width": 0, "bound": "", "live": True, "why": ""}
        self.key = (file, line, name)
        self.number = 0
        self.count = None
        self.rate = grade.Rate()
        self.stuck = (None, 0)

    def register(self, **known):
        if self.number:
            return
        self.row.update(known)
        self.number = self.live.site(self.key, lambda: self.row)
        self.count = self.live.count("decode", self.number, ("fill", "unmapped", "stuck", "bad", "unread"))

    def unread(self, name, thing):
        self.register(live=False, why="the ids of %s come as %s" % (name, type(thing).__name__))
        self.count.tally["unread"] += 1

    def check(self, got, vocab, widths):
        width = widths.widest()
        self.register(vocab=vocab.count, width=width, bound=vocab.source)
        self.count.ran(got.n)
        if got.n == 0:
            return
        held = got.lo == got.hi and self.edge(got.lo, vocab, width)
        if got.lo >= 0 and got.hi < vocab.dense and not self.outside(vocab, widths):
            if held:
                self.stay(got)
            else:
                self.stuck = (None, 0)
            return
        sheet = grade.grade_rows(got.rows(), vocab, width, self.outside(vocab, widths), got.bits)
        self.settle(sheet, got, vocab, width)

    def outside(self, vocab, widths):
        """The first id that is no row of the embedding, where one model is known
        and is a little narrower than its tokenizer. One that is much narrower
        has a tokenizer of its own: this one is of what it reads."""
        only = widths.only()
        return only if only and only < vocab.size <= only + max(REVERSE_GAP, only // 50) else None

    def settle(self, sheet, got, vocab, width):
        tally = self.count.tally
        tally["fill"] += sheet.fill
        tally["unmapped"] += sheet.unmapped
        tally["bad"] += sheet.bad
        if sheet.fill or sheet.unmapped or sheet.bad:
            self.count.write()
        if sheet.unmapped:
            self.unmapped(sheet, got, vocab, width)
        if sheet.grade == grade.MAPPED or (vocab.loose and sheet.grade != grade.SIGNATURE):
            return
        text = sheet.text + (" (%d bad ids in this batch)" % sheet.bad if sheet.bad > 1 else "")
        code = CODES[sheet.grade]
        if code == "ids-reverse-gap":
            self.live.finding(code, "unprove", text, site=self.number, once=self.number)
            return
        self.live.fault(code, text, site=self.number, value=sheet.value, row=sheet.row, column=sheet.column)
        if self.live.stop:
            raise TokenRangeFault(text, code, sheet.value, sheet.row, sheet.column)

    def unmapped(self, sheet, got, vocab, width):
        limit = vocab.limit(width)
        share = (limit - vocab.count) / limit
        text = "the id %d lies in the padding columns of the embedding, which no token maps to" % sheet.last
        if not self.rate.add(sheet, got.n, self.count.values, share):
            self.live.finding("ids-unmapped", "note", text, site=self.number, kind="doubt", once=self.number)
        elif self.live.taint:
            self.live.fault("ids-unmapped-witness", text + "; %d of %d" % (sheet.unmapped, got.n), site=self.number, value=sheet.last)
        else:
            self.live.finding("ids-unmapped-many", "unprove", text + "; %d of %d" % (sheet.unmapped, got.n), site=self.number, kind="doubt", once=self.number)

    def edge(self, value, vocab, width):
        """An id that broken logits give: the first, the last, the first padding
        column. A padding token, or one of two classes, is none."""
        if vocab.loose or value in vocab.pads or vocab.count <= 2:
            return False
        return value in (0, vocab.size - 1, vocab.size, width - 1)

    def stay(self, got):
        before = self.stuck[1] if self.stuck[0] == got.lo else 0
        self.stuck = (got.lo, before + got.n)
        if before < STUCK_AFTER <= before + got.n:
            self.count.tally["stuck"] += 1
            self.live.finding("ids-stuck", "unprove", "%d ids in a row are %d, as an argmax over logits that are all zero, equal or NaN gives"
                              % (before + got.n, got.lo), site=self.number, kind="doubt", once=self.number)


def argument(args, kwargs):
    """The ids, however the caller names them."""
    if args:
        return args[0]
    for name in ("token_ids", "sequences", "ids", "input", "tokens", "generated_outputs", "id"):
        if name in kwargs:
            return kwargs[name]
    return next(iter(kwargs.values()), None)


def width_of(model):
    head = model.get_output_embeddings() if callable(getattr(model, "get_output_embeddings", None)) else None
    weight = getattr(head, "weight", None)
    if weight is not None and getattr(weight, "ndim", 0) == 2:
        return int(weight.shape[0])
    config = getattr(model, "config", None)
    return getattr(config, "vocab_size", None)


def descendants(cls):
    seen, work = [], [cls]
    while work:
        c = work.pop()
        if c not in seen:
            seen.append(c)
            work.extend(c.__subclasses__())
    return seen
