import numpy as np
import torch
import trainvet
from trainvet import check_ids


def bare(model, tok, x):
    ids = model.generate(x)
    return tok.batch_decode(ids)  # want "unguarded: nothing holds"


def checked(model, tok, x):
    ids = model.generate(x)
    check_ids(ids, tok)
    return tok.batch_decode(ids)  # want "guarded: checked by check_ids"


def checked_by_module(model, tok, x):
    ids = model.generate(x)
    trainvet.check_ids(ids, tok)
    return tok.batch_decode(ids.cpu().tolist())  # want "guarded: checked by trainvet.check_ids"


def checked_inline(model, tok, x):
    return tok.batch_decode(check_ids(model.generate(x), tok))  # want "guarded: checked by"


def checked_and_rebound(model, tok, x):
    ids = check_ids(model.generate(x), tok)
    return [tok.decode(row) for row in ids]  # want "guarded: checked by"


def checked_as_a_copy(model, tok, x):
    ids = model.generate(x)
    host = ids.cpu()
    check_ids(host, tok)
    return tok.batch_decode(ids)  # want "guarded: checked by"


def checked_behind_a_copy(model, tok, x):
    ids = model.generate(x)
    rows = ids.tolist()
    check_ids(ids, tok)
    for row in rows:
        print(tok.decode(row))  # want "guarded: checked by"


def late(model, tok, x):
    ids = model.generate(x)
    text = tok.batch_decode(ids)  # want "unguarded: check_ids checks its ids behind the decode"
    check_ids(ids, tok)
    return text


def other_value(model, tok, x):
    ids = model.generate(x)
    more = model.generate(x)
    check_ids(more, tok)
    return tok.batch_decode(ids)  # want "unguarded: nothing holds"


def made_anew(model, tok, x):
    ids = model.generate(x)
    check_ids(ids, tok)
    ids = model.generate(x)
    return tok.batch_decode(ids)  # want "unguarded: a path leads past check_ids"


def one_arm(model, tok, x, strict):
    ids = model.generate(x)
    if strict:
        check_ids(ids, tok)
    return tok.batch_decode(ids)  # want "unguarded: a path leads past check_ids"


def in_both_arms(model, tok, x, strict):
    ids = model.generate(x)
    if strict:
        check_ids(ids, tok)
    else:
        ids = check_ids(model.generate(x, n=2), tok)
    return tok.batch_decode(ids)  # want "guarded: checked by"


def part(model, tok, x):
    ids = model.generate(x)
    check_ids(ids[:, :5], tok)
    return tok.batch_decode(ids)  # want "unguarded: check_ids checks a part"


def part_is_decoded(model, tok, x):
    ids = model.generate(x)
    check_ids(ids, tok)
    return tok.batch_decode(ids[:, x.shape[1]:])  # want "guarded: checked by"


def swallowed(model, tok, x):
    ids = model.generate(x)
    try:
        check_ids(ids, tok)
    except Exception:
        pass
    return tok.batch_decode(ids)  # want "unguarded: a path leads past"


def narrowed(model, tok, x):
    ids = model.generate(x).to(torch.int16)
    check_ids(ids, tok)
    return tok.batch_decode(ids)  # want "unguarded: its ids are narrowed before"


def narrowed_in_the_guard(model, tok, x):
    ids = model.generate(x)
    check_ids(ids.astype("uint16"), tok)
    return tok.batch_decode(ids)  # want "unguarded: its ids are narrowed before"


def widened(model, tok, x):
    ids = model.generate(x).to(torch.int64)
    check_ids(ids, tok)
    return tok.batch_decode(ids.to(torch.int16))  # want "guarded: checked by"


def written_out(model, tok, x):
    ids = model.generate(x)
    if ids.min() < 0 or ids.max() >= len(tok):
        raise ValueError("ids are out of range")
    return tok.batch_decode(ids)  # want "guarded: checked by a comparison"


def upper_only(model, tok, x):
    ids = model.generate(x)
    if ids.max() >= len(tok):
        raise ValueError("ids are out of range")
    return tok.batch_decode(ids)  # want "unguarded: the check before it lets negative ids through"


def lower_only(model, tok, x):
    ids = model.generate(x)
    if (ids < 0).any():
        raise ValueError("ids are out of range")
    return tok.batch_decode(ids)  # want "unguarded: the check before it lets ids beyond"


def wrong_extreme(model, tok, x):
    ids = model.generate(x)
    if ids.max() < 0 or ids.min() >= len(tok):
        raise ValueError("ids are out of range")
    return tok.batch_decode(ids)  # want "unguarded: nothing holds"


def with_any(model, tok, x):
    ids = model.generate(x)
    if torch.any((ids < 0) | (ids >= tok.vocab_size)):
        raise ValueError("ids are out of range")
    return tok.batch_decode(ids)  # want "guarded: checked by a comparison"


def with_all(model, tok, x):
    ids = model.generate(x)
    if not ((ids >= 0) & (ids < tok.vocab_size)).all().item():
        raise ValueError("ids are out of range")
    return tok.batch_decode(ids)  # want "guarded: checked by a comparison"


def all_where_any_is_meant(model, tok, x):
    ids = model.generate(x)
    if ((ids < 0) | (ids >= tok.vocab_size)).all():
        raise ValueError("every id is out of range")
    return tok.batch_decode(ids)  # want "unguarded: nothing holds"


def flag(model, tok, x):
    ids = model.generate(x)
    bad = (ids < 0) | (ids >= len(tok))
    if bad.any():
        raise ValueError("ids are out of range")
    return tok.batch_decode(ids)  # want "guarded: checked by a comparison"


def counted(model, tok, x):
    ids = model.generate(x)
    if ((ids < 0) | (ids >= len(tok))).sum() > 0:
        raise ValueError("ids are out of range")
    return tok.batch_decode(ids)  # want "guarded: checked by a comparison"


def listed(model, tok, x):
    ids = model.generate(x).tolist()
    bad = [i for i in ids if i < 0 or i >= len(tok)]
    if bad:
        raise ValueError(bad)
    return tok.decode(ids)  # want "guarded: checked by a comparison"


def looped(model, tok, x):
    ids = model.generate(x)
    for i in ids:
        if not 0 <= i < len(tok):
            raise ValueError(i)
    return tok.decode(ids)  # want "guarded: checked by"


def looped_twice(model, tok, x):
    ids = model.generate(x)
    for row in ids:
        for i in row:
            if i < 0:
                raise ValueError(i)
            if i >= len(tok):
                raise ValueError(i)
    return tok.batch_decode(ids)  # want "guarded: checked by"


def loop_that_stops(model, tok, x):
    ids = model.generate(x)
    for i in ids:
        if i == tok.eos_token_id:
            break
        if not 0 <= i < len(tok):
            raise ValueError(i)
    return tok.decode(ids)  # want "unguarded"


def loop_that_skips(model, tok, x):
    ids = model.generate(x)
    for i in ids:
        if i == 7:
            continue
        if not 0 <= i < len(tok):
            raise ValueError(i)
    return tok.decode(ids)  # want "unguarded"


def generator(model, tok, x):
    ids = model.generate(x)
    if any(i < 0 or i >= len(tok) for row in ids for i in row):
        raise ValueError("ids are out of range")
    return tok.batch_decode(ids)  # want "guarded: checked by a comparison"


def member(model, tok, x, known):
    ids = model.generate(x)
    if not all(i in known for i in ids):
        raise ValueError("unknown ids")
    return tok.decode(ids)  # want "guarded: checked by a comparison"


def length(model, tok, x):
    ids = model.generate(x)
    if len(ids) > 0 and len(ids) < 512:
        raise ValueError("too long")
    return tok.decode(ids)  # want "unguarded: nothing holds"


def filtered(model, tok, x):
    ids = model.generate(x)
    return tok.decode([i for i in ids if i < len(tok)])  # want "unguarded: nothing holds"


def only_logged(model, tok, x):
    ids = model.generate(x)
    if ids.min() < 0 or ids.max() >= len(tok):
        print("ids are out of range")
    return tok.decode(ids)  # want "unguarded: nothing holds"


def skipped(model, tok, xs):
    for x in xs:
        ids = model.generate(x)
        if ids.min() < 0 or ids.max() >= len(tok):
            continue
        yield tok.decode(ids)  # want "unguarded: nothing holds"


def asserted(model, tok, x):
    ids = model.generate(x)
    assert ids.min() >= 0 and ids.max() < len(tok)
    return tok.decode(ids)  # want "unguarded: only an assert checks its ids"


def ends_the_run(model, tok, x):
    ids = model.generate(x)
    if ids.min() < 0 or ids.max() >= len(tok):
        import sys
        sys.exit(3)
    return tok.decode(ids)  # want "guarded: checked by a comparison"


def in_range(ids, tok):
    """Raises where an id is out of range."""
    low, high = int(ids.min()), int(ids.max())
    if ids.min() < 0:
        raise ValueError(low)
    if ids.max() >= len(tok):
        raise ValueError(high)


def by_function(model, tok, x):
    ids = model.generate(x)
    in_range(ids, tok)
    return tok.batch_decode(ids)  # want "guarded: checked by in_range"


def by_function_of_keywords(model, tok, x):
    ids = model.generate(x)
    in_range(tok=tok, ids=ids)
    return tok.batch_decode(ids)  # want "guarded: checked by in_range"


def by_function_of_another(model, tok, x):
    ids = model.generate(x)
    in_range(x, tok)
    return tok.batch_decode(ids)  # want "unguarded: nothing holds"


def returns_early(ids, tok):
    if len(ids) == 7:
        return
    in_range(ids, tok)


def by_lazy_function(model, tok, x):
    ids = model.generate(x)
    returns_early(ids, tok)
    return tok.batch_decode(ids)  # want "unguarded: nothing holds"


def tells(ids, tok):
    return bool(ids.max() < len(tok))


def answer_is_dropped(model, tok, x):
    ids = model.generate(x)
    tells(ids, tok)
    return tok.batch_decode(ids)  # want "unguarded: nothing holds"


def by_declared(model, tok, x):
    ids = model.generate(x)
    declared_guard(tok, ids)
    return tok.batch_decode(ids)  # want "guarded: checked by declared_guard"


class Trainer:
    def _check(self, ids):
        check_ids(ids, self.tok)
        return ids

    def evaluate(self, batch):
        ids = self._check(self.model.generate(batch))
        return self.tok.batch_decode(ids)  # want "guarded: checked by _check"

    def kept(self, batch):
        self.ids = self.model.generate(batch)
        self._check(self.ids)
        return self.tok.batch_decode(self.ids)  # want "guarded: checked by _check"

    def not_kept(self, batch):
        return self.tok.batch_decode(self.ids)  # want "unguarded: nothing holds"


def round_trip(tok, text):
    return tok.decode(tok.encode(text))  # want "guarded: its ids come from encoding text"


def round_trip_of_fields(tok, text):
    enc = tok(text, return_tensors="pt")
    return tok.decode(enc.input_ids[0]), tok.decode(enc["input_ids"][0])  # want "guarded: its ids come from" "guarded: its ids come from"


def over_the_device(tok, text):
    enc = tok(text, return_tensors="pt").to("cuda")
    return tok.decode(enc.input_ids[0])  # want "unguarded: nothing holds"


def constant(tok):
    return tok.decode([1, 2, 3]), [tok.decode([i]) for i in range(9)]  # want "guarded: its ids are constants" "guarded: its ids"


def gathered(model, tok, loader):
    rows = []
    for x in loader:
        rows.extend(model.generate(x).tolist())
    return tok.batch_decode(rows)  # want "unguarded: nothing holds"


def gathered_and_checked(model, tok, loader):
    rows = []
    for x in loader:
        ids = model.generate(x)
        check_ids(ids, tok)
        rows.extend(ids.tolist())
    return tok.batch_decode(rows)  # want "guarded: checked by"


def never_filled(model, tok):
    rows = []
    model.fill(rows)
    return tok.batch_decode(rows)  # want "unguarded: nothing holds"


def mapped(model, tok, x):
    ids = model.generate(x)
    check_ids(ids, tok)
    return list(map(tok.decode, ids))  # want "guarded: checked by"


def mapped_unchecked(model, tok, x):
    return list(map(tok.decode, model.generate(x)))  # want "unguarded: nothing holds"


def fields(model, tok, x):
    out = model.generate(x, return_dict_in_generate=True)
    check_ids(out.sequences, tok)
    return tok.batch_decode(out.sequences)  # want "guarded: checked by"


def other_field(model, tok, x):
    out = model.generate(x, return_dict_in_generate=True)
    check_ids(out.prompts, tok)
    return tok.batch_decode(out.sequences)  # want "unguarded: nothing holds"


def zipped(model, tok, x, labels):
    ids = model.generate(x)
    check_ids(ids, tok)
    for label, row in zip(labels, ids):
        yield tok.decode(row), tok.decode(label)  # want "guarded: checked by" "unguarded: nothing holds"


def own_name(check_ids, model, tok, x):
    ids = model.generate(x)
    check_ids(ids, tok)
    return tok.batch_decode(ids)  # want "unguarded: nothing holds"


def retried(model, tok, x):
    for _ in range(3):
        ids = model.generate(x)
        try:
            check_ids(ids, tok)
            break
        except trainvet.Fault:
            continue
    else:
        raise RuntimeError("three faults")
    return tok.batch_decode(ids)  # want "guarded: checked by"


def ping(ids, tok, n):
    if n:
        pong(ids, tok, n - 1)
    check_ids(ids, tok)


def pong(ids, tok, n):
    ping(ids, tok, n)


def by_functions_that_call_each_other(model, tok, x):
    ids = model.generate(x)
    ping(ids, tok, 3)
    return tok.batch_decode(ids)  # want "guarded: checked by ping"


def made_of_each_other(model, tok, x):
    a = model.generate(x)
    b = a
    for _ in range(3):
        a, b = b, a
    return tok.batch_decode(a)  # want "unguarded: nothing holds"


def grown_in_a_loop(model, tok, x):
    ids = model.generate(x)
    for row in ids:
        for i in row:
            rows = [i]
            for r in rows:
                print(tok.decode(r))  # want "unguarded: nothing holds"


def loop_that_checks_nothing(model, tok):
    rows = []
    model.fill(rows)
    for row in rows:
        print(row)
    return tok.batch_decode(rows)  # want "unguarded: nothing holds"


def loop_over_ids_of_text(tok, text):
    ids = tok.encode(text)
    for i in ids:
        print(i)
    return tok.decode(ids)  # want "guarded: its ids come from encoding text"


def nested_tuples(model, tok, xs, text):
    rows, ids = tok.encode(text), model.generate(xs)
    for n, (row, i) in enumerate(zip(ids, rows)):
        print(tok.decode(row), tok.decode(i), tok.decode(n))  # want "unguarded: nothing holds" "guarded: its ids" "guarded: its ids"
    return [tok.decode(a) for n, (a, b) in enumerate(zip(ids, rows))]  # want "unguarded: nothing holds"


def loop_within_a_loop_that_checks_nothing(tok, texts):
    rows = []
    for text in texts:
        ids = tok(text)["input_ids"]
        for row in ids:
            if len(row) > 512:
                raise ValueError("too long")
        rows.append(ids[0])
    return tok.batch_decode(rows)  # want "guarded: its ids come from encoding text"


def one_of_two_ways(model, tokenizer, x, n):
    ids = model.generate(x)
    if 0 <= min(ids) and max(ids) < n:
        return tokenizer.decode(ids)  # want "^guarded: checked by a comparison"
    raise ValueError("ids beyond the vocabulary")


def by_a_flag(model, tokenizer, x, n):
    ids = model.generate(x)
    bad = (ids < 0) | (ids >= n)
    worst = bad.any()
    if worst:
        raise ValueError("ids beyond the vocabulary")
    return tokenizer.decode(ids)  # want "^guarded: checked by a comparison"


def of_text(tokenizer, text):
    if not text:
        raise ValueError("no text")
    ids = tokenizer(text).input_ids
    if ids.shape[-1] > 77:
        print("cut off")
    return tokenizer.decode(ids)  # want "^guarded: its ids come from encoding text"


class SecondTokenizer:
    def cut_off(self, prompt, limit):
        ids = self.tokenizer_2(prompt, padding="longest", return_tensors="pt").input_ids
        return self.tokenizer_2.batch_decode(ids[:, limit - 1 : -1])  # want "guarded: its ids come from encoding text"

    def answered(self, model, prompt):
        ids = model.generate(self.tokenizer_2(prompt).input_ids)
        return self.tokenizer_2.batch_decode(ids)  # want "unguarded: nothing holds"


def unless_empty(model, x):
    ids = model.generate(x)
    if ids.numel() and (ids.max() >= len(tok) or ids.min() < 0):
        raise ValueError("impossible id")
    return tok.decode(ids)  # want "^guarded: checked by a comparison"


def none_is_fine(model, x):
    ids = model.generate(x)
    if len(ids) > 0 and (max(ids) >= len(tok) or min(ids) < 0):
        raise ValueError("impossible id")
    return tok.decode(ids)  # want "^guarded: checked by a comparison"


def empty_first(model, x):
    ids = model.generate(x)
    if len(ids) == 0:
        return ""
    if max(ids) >= len(tok) or min(ids) < 0:
        raise ValueError("impossible id")
    return tok.decode(ids)  # want "^guarded: checked by a comparison"


def sum_of_ids(model, x):
    ids = model.generate(x)
    if ids.sum() and (ids.max() >= len(tok) or ids.min() < 0):
        raise ValueError("impossible id")
    return tok.decode(ids)  # want "^unguarded: "


def empty_of_another(model, x, rows):
    ids = model.generate(x)
    if len(rows) and (ids.max() >= len(tok) or ids.min() < 0):
        raise ValueError("impossible id")
    return tok.decode(ids)  # want "^unguarded: "
