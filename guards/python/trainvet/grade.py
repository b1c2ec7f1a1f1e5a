"""What a token id can be, from fine to worst, and what many of a kind mean.
The same grades as the Go guards: see there for why."""

import math

MAPPED, FILL, UNMAPPED, REVERSE, IMPOSSIBLE, SIGNATURE = range(6)

FILL_ID = -100  # what trainers pad with, behind the last id of a row
FILL16, FILL32, FILL64 = 0x0101, 0x01010101, 0x0101010101010101
LEAST64 = -(1 << 63)
REPEATS = 4  # one out-of-range value so often in a row: a kernel that did not run

NOTE_RATE = 1 / 1000  # unmapped ids that a healthy model samples now and then
FEW = 3
WINDOW = 1 << 16
STRETCH = 512
RARE, RARE_UNIFORM, RARE_SCARCE = 1e-3, 1e-6, 1e-3


class Sheet:
    """What one batch held."""

    def __init__(self):
        self.fill = self.unmapped = self.bad = 0
        self.events = 0  # unmapped ids, one that comes again in its stretch counted once
        self.weighed = self.distinct = 0  # ids without padding, and of these the ones that do not come again
        self.last = None  # an unmapped id
        self.grade, self.row, self.column, self.value, self.text = MAPPED, -1, -1, None, ""


def grade_rows(rows, vocab, width, reverse, bits):
    """Reverse: ids from this one on read outside the embedding; None: not known."""
    sheet = Sheet()
    limit = vocab.limit(width)
    for at, row in enumerate(rows):
        grade_row(row, at, vocab, limit, reverse, bits, sheet)
    if sheet.unmapped:
        weigh(rows, vocab, limit, sheet)
    return sheet


def weigh(rows, vocab, limit, sheet):
    """A model that fell into a loop says one thing many times: an id counts once
    a stretch, and where nearly all ids are repeats, once a batch."""
    columns, kinds = set(), set()
    for row in rows:
        for start in range(0, len(row), STRETCH):
            ids = [i for i in row[start : start + STRETCH] if 0 <= i < limit and i not in vocab.pads]
            different = set(ids)
            sheet.weighed += len(ids)
            sheet.distinct += len(different)
            outside = {i for i in different if not vocab.has(i)}
            sheet.events += len(outside)
            columns |= outside
            kinds |= different
    if sheet.distinct * 4 < sheet.weighed:
        sheet.events, sheet.distinct = len(columns), len(kinds)


def grade_row(row, at, vocab, limit, reverse, bits, sheet):
    end = len(row)
    while end and row[end - 1] == FILL_ID:
        end -= 1
    sheet.fill += len(row) - end
    i = 0
    while i < end:
        value = row[i]
        g = grade(value, vocab, limit, reverse, bits)
        if g == MAPPED:
            i += 1
            continue
        n = 1
        while i + n < end and row[i + n] == value:
            n += 1
        if g == UNMAPPED:
            sheet.unmapped += n
            sheet.last = value
        else:
            if g == IMPOSSIBLE and n >= REPEATS and value >= 0:
                g = SIGNATURE
            sheet.bad += n
            if g > sheet.grade:
                sheet.grade, sheet.row, sheet.column, sheet.value = g, at, i, value
                sheet.text = explain(value, n, vocab, limit, g)
        i += n


def grade(value, vocab, limit, reverse, bits):
    if vocab.has(value):
        return REVERSE if reverse is not None and value >= reverse else MAPPED
    if 0 <= value < limit:
        return UNMAPPED
    return SIGNATURE if is_signature(value, bits, limit) else IMPOSSIBLE


def is_signature(value, bits, limit):
    if bits == 16:
        return value == FILL16
    if bits == 32:
        return value == FILL32
    return value in (FILL32, FILL64, LEAST64) or (value >> 32 not in (0, -1) and value & 0xFFFFFFFF < limit)


def explain(value, n, vocab, limit, g):
    text = "the id %d" % value
    if n > 1:
        text += ", %d times in a row," % n
    if g == REVERSE:
        return text + " is a token of the tokenizer and lies outside the embedding of the model"
    if value in (FILL32, FILL64):
        return text + " is memory of 0x01 bytes, which no kernel wrote"
    if value == LEAST64:
        return text + " is the least 64-bit integer, which argmax and multinomial leave when a kernel fails"
    if g == SIGNATURE:
        return text + " is the pattern of memory that no kernel wrote"
    if value < 0:
        return text + " is negative and no fill that stands behind a row"
    return text + " lies beyond the %d ids that a model of this vocabulary can produce" % limit


class Rate:
    """What a site saw of unmapped ids lately."""

    def __init__(self):
        self.start = self.events = self.weighed = self.distinct = 0

    def add(self, sheet, n, total, share):
        """Whether the unmapped ids are more than a healthy model gives. Share
        is that of the padding columns among all, which a model that was never
        trained draws."""
        self.events += sheet.events
        self.weighed += sheet.weighed
        self.distinct += sheet.distinct
        seen = max(total - self.start, n)
        if not exceeds(sheet.events, n) and not exceeds(self.events, seen):
            many = False
        elif not as_drawn(self.events, seen * self.distinct / max(self.weighed, 1) * share):
            many = True
        else:
            many = tail(sheet.events, sheet.distinct * share) < RARE_UNIFORM
        if seen > 2 * WINDOW:
            self.start = total - seen // 2
            self.events, self.weighed, self.distinct = self.events // 2, self.weighed // 2, self.distinct // 2
        return many


def exceeds(k, n):
    allowed = n * NOTE_RATE
    return k >= FEW and k > allowed and tail(k, allowed) < RARE


def as_drawn(k, mean):
    return tail(k, mean) >= RARE_UNIFORM and 1 - tail(k + 1, mean / 2) >= RARE_SCARCE


def tail(k, mean):
    """The probability of k events or more where mean are expected (Poisson)."""
    if k <= 0:
        return 1.0
    if mean > 500:
        return math.erfc((k - 0.5 - mean) / math.sqrt(2 * mean)) / 2
    term, below = math.exp(-mean), 0.0
    for i in range(k):
        below += term
        term *= mean / (i + 1)
        if term == 0.0 and i > mean:
            break
    return max(1 - below, 0.0)
