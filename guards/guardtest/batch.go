package guardtest

import (
	"math"
	"slices"

	"github.com/trainvet/trainvet/guards"
)

// Batch is a batch of token ids and what a guard has to say of it.
type Batch[T guards.ID] struct {
	Name  string // what happened to it
	Grade string // what is reported or recorded; empty: nothing
	Err   error  // guards.ErrFault, guards.ErrQuality; nil: no error may come
	Rows  [][]T
}

// Flat is the batch as a tensor holds it, row behind row.
func (b Batch[T]) Flat() []T { return slices.Concat(b.Rows...) }

// Batches gives poisoned and healthy batches of so many rows and columns for a
// vocabulary. What the type cannot hold, or the vocabulary makes legal, is left
// out; at least 8 columns are given.
func Batches[T guards.ID](v *guards.Vocab, rows, columns int) []Batch[T] {
	f := filler[T]{v: v, rows: max(rows, 1), columns: max(columns, 8)}
	return slices.Concat(f.healthy(), f.doubtful(), f.poisoned())
}

type filler[T guards.ID] struct {
	v             *guards.Vocab
	rows, columns int
}

// clean is a batch of legal ids that vary.
func (f filler[T]) clean() [][]T {
	rows := make([][]T, f.rows)
	id := 0
	for i := range rows {
		for range f.columns {
			for id = (id + 7) % f.v.Size(); !f.legal(id); {
				id = (id + 1) % f.v.Size()
			}
			rows[i] = append(rows[i], T(id))
		}
	}
	return rows
}

func (f filler[T]) legal(id int) bool {
	return f.v.Has(id) && (f.v.Width() == 0 || id < f.v.Width())
}

// with is a clean batch with an id at one place in the middle.
func (f filler[T]) with(id T) [][]T {
	rows := f.clean()
	rows[f.rows/2][f.columns/2] = id
	return rows
}

// full is a batch of nothing but one id.
func (f filler[T]) full(id T) [][]T {
	rows := make([][]T, f.rows)
	for i := range rows {
		rows[i] = slices.Repeat([]T{id}, f.columns)
	}
	return rows
}

func (f filler[T]) healthy() []Batch[T] {
	last := T(f.v.Size() - 1)
	if w := f.v.Width(); w > 0 {
		last = T(min(f.v.Size(), w) - 1)
	}
	ragged := f.clean()
	ragged[0] = ragged[0][:1]
	repeats := f.clean()
	copy(repeats[0], slices.Repeat(repeats[0][:1], f.columns))
	return []Batch[T]{
		{Name: "clean", Rows: f.clean()},
		{Name: "the last token", Rows: f.with(last)},
		{Name: "ragged rows and an empty one", Rows: append(ragged, nil)},
		{Name: "a row that repeats itself", Rows: repeats},
		{Name: "no rows"},
	}
}

// doubtful are the batches that a healthy model can give now and then: recorded
// and no error.
func (f filler[T]) doubtful() []Batch[T] {
	var out []Batch[T]
	holes := f.holes()
	if len(holes) > 0 {
		out = append(out, Batch[T]{Name: "one padding column", Grade: "ids-unmapped", Rows: f.with(T(holes[0]))})
	}
	if tokens := f.v.Size() - f.v.Holes(); f.legal(0) && tokens > 2 && f.rows*f.columns >= 32 { // of two one may be rare
		out = append(out, Batch[T]{Name: "stuck at the first id, as logits of zeros give", Grade: "ids-stuck", Rows: f.full(0)})
	}
	return out
}

// holes are ids that a model can give and that no token stands behind.
func (f filler[T]) holes() []int {
	var out []int
	end := f.v.Width()
	if end == 0 {
		end = f.v.Size()
	}
	for id := range end {
		if !f.v.Has(id) && uint64(T(id)) == uint64(id) {
			out = append(out, id)
		}
	}
	return out
}

// poisoned are the batches that no sound machine gives.
func (f filler[T]) poisoned() []Batch[T] {
	var out []Batch[T]
	add := func(name, grade string, id int64) {
		if f.holds(id) {
			out = append(out, Batch[T]{Name: name, Grade: grade, Err: guards.ErrFault, Rows: f.with(T(id))})
		}
	}
	add("four bytes of 0x01", "ids-signature", 0x01010101)
	add("eight bytes of 0x01", "ids-signature", 0x0101010101010101)
	add("the least int64", "ids-signature", math.MinInt64)
	add("a stray high word over a valid low one", "ids-signature", 6<<32)
	add("a NaN made an int32", "ids-impossible", math.MinInt32)
	add("minus one", "ids-impossible", -1)
	beyond := f.beyond()
	add("beyond the logits", "ids-impossible", beyond)
	if f.holds(beyond) {
		out = append(out, Batch[T]{Name: "one value beyond the logits over and over", Grade: "ids-signature", Err: guards.ErrFault, Rows: f.full(T(beyond))})
	}
	if w := f.v.Width(); w > 0 && f.v.Has(w) && f.holds(int64(w)) {
		out = append(out, Batch[T]{Name: "a token beyond the logits", Grade: "ids-reverse-gap", Err: guards.ErrQuality, Rows: f.with(T(w))})
	}
	return out
}

// holds tells whether the type keeps a value as it is.
func (f filler[T]) holds(id int64) bool {
	t := T(id)
	return int64(t) == id && (t < 0) == (id < 0)
}

// beyond is an id that no model of the vocabulary's width produces.
func (f filler[T]) beyond() int64 {
	const step = 4096 // what an unknown width is rounded up to
	n := max(f.v.Width(), f.v.Size())
	if f.v.Width() == 0 {
		n = (n + step - 1) / step * step
	}
	return int64(n) + 1
}
