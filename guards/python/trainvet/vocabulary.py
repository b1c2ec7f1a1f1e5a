"""Which token ids a decode may see: those that the tokenizer maps, and the
padding columns of the model's logits behind them."""

import weakref

# A model's logits are rounded up; where their width is not known, an id up to
# the next multiple of this is one of a padding column, perhaps.
ROUNDING = 4096
LARGEST = 1 << 24  # above it a number is an id and no bound
WORD = (str, bytes)
FEW = 8  # words that a list of them holds at least


class Vocabulary:
    """size: one more than the highest mapped id. dense: each id below it is
    mapped. width: columns of the logits, 0 where no model was seen."""

    loose = False

    def __init__(self, ids, pads=(), source=""):
        ids = set(ids)
        self.size = max(ids) + 1
        self.mapped = None if len(ids) == self.size else ids
        self.count = len(ids)
        self.dense = self.size if self.mapped is None else next(i for i in range(self.size) if i not in ids)
        self.pads = {p for p in pads if isinstance(p, int)}
        self.source = source

    def has(self, i):
        return 0 <= i < self.size and (self.mapped is None or i in self.mapped)

    def limit(self, width):
        """No id from here on is one of a sound model."""
        if width:
            return max(width, self.size)
        return -(-self.size // ROUNDING) * ROUNDING


class Loose:
    """Of a tokenizer that a trainer wrote itself: which ids it maps is its own affair,
    and what it drops too. No sound machine gives the patterns alone."""

    size = dense = LARGEST
    mapped, loose, pads = None, True, ()

    def __init__(self, count, source):
        self.count, self.source = count, source

    def has(self, i):
        return 0 <= i < self.size

    def limit(self, width):
        return self.size


class Shelf:
    """The vocabulary of each tokenizer, read again when its length changes."""

    def __init__(self):
        self.known = {}
        self.own = set()  # classes of tokenizers that the trainer wrote itself

    def of(self, tokenizer):
        """None where nothing says which ids there are."""
        if type(tokenizer) in self.own:
            return Loose(words(tokenizer), type(tokenizer).__name__)
        tokenizer = resolve(tokenizer)
        if tokenizer is None:
            return None
        length = length_of(tokenizer)
        kept = self.known.get(id(tokenizer))
        if kept is not None and kept[0]() is tokenizer and kept[1] == length:
            return kept[2]
        made = read(tokenizer)
        try:
            ref = weakref.ref(tokenizer)
        except TypeError:  # a class without room for one: it is kept alive
            ref = lambda kept=tokenizer: kept  # noqa: E731
        if len(self.known) > 256:
            self.known.clear()
        self.known[id(tokenizer)] = (ref, length, made)
        return made


def resolve(thing):
    """The tokenizer of a processor, the encoding of a Whisper tokenizer."""
    for name in ("tokenizer", "encoding"):
        inner = getattr(thing, name, None)
        if inner is not None and not isinstance(inner, str) and not callable(getattr(thing, "get_vocab", None)):
            return resolve(inner)
    return thing


def length_of(tokenizer):
    fast = getattr(tokenizer, "_tokenizer", None)
    if fast is not None and hasattr(fast, "get_vocab_size"):
        return fast.get_vocab_size(True)
    for name in ("get_vocab_size", "GetPieceSize", "get_piece_size"):
        ask = getattr(tokenizer, name, None)
        if callable(ask):
            return ask()
    n = getattr(tokenizer, "n_vocab", None)
    if isinstance(n, int):
        return n
    try:
        return len(tokenizer)
    except TypeError:
        return None


def read(tokenizer):
    """None: not a kind of tokenizer that is known, or one without ids."""
    source = type(tokenizer).__name__
    # A row that ended is filled with the end where there is no padding token.
    pads = (getattr(tokenizer, "pad_token_id", None), getattr(tokenizer, "eos_token_id", None))
    if callable(getattr(tokenizer, "get_vocab", None)):
        ids = tokenizer.get_vocab().values()
    elif hasattr(tokenizer, "_mergeable_ranks"):  # tiktoken
        ids = list(tokenizer._mergeable_ranks.values()) + list(tokenizer._special_tokens.values())
        pads = tuple(tokenizer._special_tokens.values())
    elif callable(getattr(tokenizer, "GetPieceSize", None)):  # sentencepiece
        ids = range(tokenizer.GetPieceSize())
        pads = (tokenizer.pad_id(), tokenizer.eos_id())
    else:
        return None
    ids = [i for i in ids if isinstance(i, int) and 0 <= i < LARGEST]
    return Vocabulary(ids, pads, source) if ids else None


def words(thing):
    """How many words it holds: a table of words by number, of numbers by word, or a
    list of them; 0: it is no tokenizer."""
    return len(words_in(getattr(thing, "__dict__", {})) or ())


def words_in(named):
    """The table among what is held by name."""
    for held in list(named.values()):
        if isinstance(held, dict) and len(held) > 1:
            key, value = next(iter(held.items()))
            if isinstance(key, WORD) != isinstance(value, WORD) and (is_id(key) or is_id(value)):
                return held
        elif isinstance(held, (list, tuple, str)) and len(held) > FEW and all(isinstance(w, WORD) for w in held[:FEW]):
            return held
    return None


def is_id(value):
    return isinstance(value, int) and not isinstance(value, bool)


class Widths:
    """The columns of the logits of the models that generated in this process."""

    def __init__(self):
        self.seen = set()

    def add(self, n):
        if isinstance(n, int) and 0 < n < LARGEST:
            self.seen.add(n)

    def widest(self):
        return max(self.seen) if self.seen else 0

    def only(self):
        """The width where there is one model only: another one says nothing of
        this tokenizer."""
        return next(iter(self.seen)) if len(self.seen) == 1 else 0
