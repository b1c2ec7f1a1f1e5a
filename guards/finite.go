package guards

import (
	"fmt"
	"math"
	"sync/atomic"
)

// Quantity is what values are in a training: it decides what one that is not
// finite means for the metrics.
type Quantity uint8

// The quantities.
const (
	Loss      Quantity = iota // one step's; the value says so itself
	Gradient                  // a scaler skips the step, or the optimizer destroys the model
	Parameter                 // what is computed from the model is no measurement of a model
	Buffer                    // running mean and variance: every evaluation reads them, no step does
	Input                     // a batch, before the forward pass
	Target                    // of a regression
	Output                    // of an evaluation: argmax over NaN names a legal class
)

var quantities = [...]struct{ name, code string }{
	Loss:      {"loss", "nonfinite-loss"},
	Gradient:  {"gradient", "nonfinite-gradient"},
	Parameter: {"parameter", "nonfinite-parameter"},
	Buffer:    {"buffer", "nonfinite-buffer"},
	Input:     {"input", "nonfinite-input"},
	Target:    {"target", "nonfinite-target"},
	Output:    {"output", "nonfinite-output"},
}

// String is the word for a quantity.
func (q Quantity) String() string {
	if int(q) < len(quantities) {
		return quantities[q].name
	}
	return fmt.Sprintf("Quantity(%d)", uint8(q))
}

// FiniteWatch checks values of one quantity for NaN, infinity and bytes that no
// kernel wrote. Make it once, with [WatchFinite].
type FiniteWatch struct {
	run      *Run
	quantity Quantity
	count    *check
	dirty    atomic.Bool  // a gradient of this step is not finite
	skipped  atomic.Int64 // steps in a row that such gradients cost
}

// stayAfter is how many steps in a row an overflow may cost before it is no
// search for a scale any more: from 2^24 down to 1 are 24.
const stayAfter = 50

// WatchFinite watches a quantity for the run of the process.
func WatchFinite(q Quantity) *FiniteWatch { return Default().WatchFinite(q) }

// WatchFinite is the function of that name for this run.
func (r *Run) WatchFinite(q Quantity) *FiniteWatch {
	if int(q) >= len(quantities) {
		q = Output // of an unknown quantity the strictest is assumed
	}
	return &FiniteWatch{run: r, quantity: q, count: r.finiteCheck()}
}

// finiteCheck is the one count that all watches of a run share: a total that
// several wrote under one name would be none.
func (r *Run) finiteCheck() *check {
	find := func() *check {
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, c := range r.checks {
			if c.name == "finite" {
				return c
			}
		}
		return nil
	}
	if c := find(); c != nil {
		return c
	}
	r.check("finite", 0, "nonfinite", "fill")
	return find() // the first, should another goroutine have made one, too
}

// CheckFinite checks a tensor by its values. The name says which tensor it is
// (encoder.0.weight), and may be empty. It returns a [*Finding] where a value
// is NaN or infinite, a [*Fault] where the memory holds bytes of 0x01, nil
// otherwise. It neither allocates nor locks while all is well.
//
// Under a loss scaler an overflowing gradient is ordinary: ask [AllFinite] for
// the flag and hand it to the scaler.
func CheckFinite[T Float](w *FiniteWatch, name string, values []T) error {
	w.count.ran(int64(len(values)))
	if start, n := findFill(values); n > 0 {
		return w.filled(name, start, n, int64(len(values)))
	}
	if quickFinite(values) {
		return nil
	}
	return w.settle(name, countNonFinite(values), int64(len(values)))
}

// CheckFiniteBits is [CheckFinite] for values of a 16-bit format.
func CheckFiniteBits[U ~uint16](w *FiniteWatch, name string, values []U, f Format) error {
	w.count.ran(int64(len(values)))
	if start, n := findFillBits(values); n > 0 && !(f == FP16 && w.quantity == Gradient && onlyFillAndZero(values)) {
		return w.filled(name, start, n, int64(len(values)))
	}
	if quickFiniteBits(values, f) {
		return nil
	}
	return w.settle(name, countNonFiniteBits(values, f), int64(len(values)))
}

// Value checks a single value, such as the loss of a step.
func (w *FiniteWatch) Value(name string, value float64) error {
	w.count.ran(1)
	if finiteValue(value) {
		return nil
	}
	return w.settle(name, nonFinite{n: 1, value: value}, 1)
}

// Counted takes what a device counted, where looking at the values here would
// mean to copy them: so many of so many are not finite.
func (w *FiniteWatch) Counted(name string, nonfinite, of int64) error {
	w.count.ran(of)
	if nonfinite <= 0 {
		return nil
	}
	w.count.tally(0, nonfinite)
	e := w.event(quantities[w.quantity].code, name)
	e.text = fmt.Sprintf("%d of %d values of %s are not finite", nonfinite, of, w.what(name))
	return w.tellNonFinite(e)
}

// filled reports memory that no kernel wrote.
func (w *FiniteWatch) filled(name string, start, n, of int64) error {
	w.count.tally(1, n)
	e := w.event("fill-float", name)
	e.place = start
	e.text = fillText(w.what(name), start, n, of)
	return w.run.report(e)
}

func fillText(what string, start, n, of int64) string {
	return fmt.Sprintf("%d of %d values of %s, from %d on, are bytes of 0x01: memory that no kernel wrote, finite and tiny as floats",
		n, of, what, start)
}

// settle reports values that are not finite; none is possible, where a sum
// overflowed.
func (w *FiniteWatch) settle(name string, c nonFinite, of int64) error {
	if c.n == 0 {
		return nil
	}
	w.count.tally(0, c.n)
	e := w.event(quantities[w.quantity].code, name)
	e.value = word(c.value)
	e.place = c.first
	e.text = fmt.Sprintf("%d of %d values of %s are not finite, the first is %s at %d", c.n, of, w.what(name), e.value, c.first)
	if of == 1 {
		e.text = fmt.Sprintf("%s is %s", w.what(name), e.value)
	}
	return w.tellNonFinite(e)
}

func (w *FiniteWatch) tellNonFinite(e event) error {
	switch w.quantity {
	case Loss, Gradient, Input, Target:
		w.run.bound(&e)
	}
	if w.quantity == Gradient {
		w.dirty.Store(true)
	}
	return w.run.find(e)
}

// Stepped tells a watch of gradients what became of the step behind them:
// whether the optimizer applied it. A step over gradients that are not finite
// destroys the parameters when it is applied, and is ordinary when a scaler
// skips it; skipped for ever it is no search for a scale.
func (w *FiniteWatch) Stepped(applied bool) error {
	if !w.dirty.Swap(false) {
		if w.skipped.Load() != 0 {
			w.skipped.Store(0)
		}
		return nil
	}
	e := w.event("nonfinite-gradient-stays", "")
	switch n := w.skipped.Add(1); {
	case applied:
		e.text = "the optimizer applied gradients that are not finite: parameters are NaN or infinite from here on"
	case n >= stayAfter:
		e.text = fmt.Sprintf("gradients are not finite for %d steps in a row: no scale helps", n)
	default:
		return nil
	}
	return w.run.find(e)
}

func (w *FiniteWatch) event(code, name string) event {
	e := seen(code)
	e.name = name
	return e
}

func (w *FiniteWatch) what(name string) string {
	if name == "" || name == w.quantity.String() { // "the loss loss" would be read as a metric of that name
		return "the " + w.quantity.String()
	}
	return "the " + w.quantity.String() + " " + name
}

func word(v float64) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case v > 0:
		return "+Inf"
	}
	return "-Inf"
}
