package guardtest

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/trainvet/trainvet/guards"
)

// Rows and columns of the batches that Decode hands out.
const (
	rows    = 4
	columns = 32
)

// Decode proves that a decode is guarded. It hands poisoned and healthy batches
// to decode, which is to do with ids from the model whatever the trainer does,
// and to return what reaches the top of the trainer. A poisoned batch must come
// back as the error that it is, by errors.Is; a healthy one must come back as
// nil, or as the finding of a metric that the batch is no whole evaluation.
//
// Before each batch a new run becomes the default one, so that no fault sticks
// to the next; a site that decode makes, or a test that makes its own, is
// checked for doubts as well. The test must not run in parallel.
func Decode[T guards.ID](t *testing.T, v *guards.Vocab, decode func(rows [][]T) error) {
	t.Helper()
	for _, b := range Batches[T](v, rows, columns) {
		t.Run(b.Name, func(t *testing.T) {
			rec := Record(t)
			judge(t, decode(b.Rows), b.Err)
			if rec.Checked() && b.Grade != "" && !slices.Contains(rec.Codes(), b.Grade) {
				t.Errorf("the record holds %v, and not %s", rec.Codes(), b.Grade)
			}
		})
	}
}

// Finite does the same for a check of values: use hands them to the trainer as
// a gradient, a parameter, an output.
func Finite[T guards.Float](t *testing.T, n int, use func(values []T) error) {
	t.Helper()
	for _, c := range Tensors[T](n) {
		t.Run(c.Name, func(t *testing.T) {
			Record(t)
			judge(t, use(c.Values), c.Err)
		})
	}
}

// ofSamples tells whether an error says that an evaluation had too few samples.
// A metric that expects a whole split says so of a test batch, and is right.
func ofSamples(err error) bool {
	var f *guards.Finding
	return errors.As(err, &f) && (f.Grade == "empty-evaluation" || f.Grade == "incomplete-evaluation")
}

// judge holds an error against what it has to be.
func judge(t *testing.T, got, want error) {
	t.Helper()
	if c := complaint(got, want); c != "" {
		t.Error(c)
	}
}

// complaint says what is wrong with an error; empty: nothing.
func complaint(got, want error) string {
	if ofSamples(got) {
		got = nil // it says nothing of the ids
	}
	switch {
	case want == nil && got != nil:
		return fmt.Sprintf("a healthy batch brings %q", got)
	case want != nil && got == nil:
		return fmt.Sprintf("nothing came back, where %q had to: no guard fired, or a handler ate its error", want)
	case want != nil && !errors.Is(got, want):
		return fmt.Sprintf("%q came back, which is not %q by errors.Is: the guard's error was replaced on its way up", got, want)
	}
	return ""
}
