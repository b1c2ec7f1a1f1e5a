package rules

import (
	"iter"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// span is a stretch of a function that its clock measures: from the statement
// that reads it first to the difference.
type span struct{ begin, diff syntax.Node }

// isClock reports whether an expression reads a clock.
func (f *File) isClock(n syntax.Node) bool {
	return f.Kind(n) == syntax.Call && f.Is(n, "time.time", "time.perf_counter", "time.monotonic", "timeit.default_timer", "time.process_time", "time.time_ns", "time.perf_counter_ns")
}

// spans are the differences of two readings of a clock, in the order of the
// source: time.time() - start, end - start.
func (f *File) spans() iter.Seq[span] {
	return func(yield func(span) bool) {
		for n := range f.All(syntax.BinOp) {
			left, right := f.Child(n, syntax.RoleLeft), f.Child(n, syntax.RoleRight)
			if f.Op(n) != syntax.Sub || f.Kind(right) != syntax.Name || !f.isClock(left) && f.clockRead(left, n) == 0 {
				continue
			}
			if begin := f.clockRead(right, n); begin != 0 && !yield(span{begin, n}) {
				return
			}
		}
	}
}

// clockRead is the last statement of the function, before a node, that assigns
// a reading of a clock to a name.
func (f *File) clockRead(name, before syntax.Node) syntax.Node {
	if f.Kind(name) != syntax.Name {
		return 0
	}
	found := syntax.Node(0)
	list, _ := f.Values(name)
	for _, v := range list {
		stmt := f.Parent(v)
		if f.isClock(v) && f.Kind(stmt) == syntax.Assign && f.Function(v) == f.Function(before) && f.Start(v) < f.Start(before) {
			found = stmt
		}
	}
	return found
}

// timed are the nodes that stand in a span, in the order of the source. A loop
// that began within the span, or in which the clock is read again for the next
// one behind the difference, is timed as a whole.
func (f *File) timed(s span) iter.Seq[syntax.Node] {
	from, to := f.End(s.begin), f.Start(s.diff)
	for loop := f.Loop(s.diff); loop != 0; loop = f.Loop(loop) {
		if !f.Holds(loop, s.begin) || f.readAgain(s, loop) {
			from, to = min(from, f.Start(loop)), f.End(loop)
		}
	}
	return func(yield func(syntax.Node) bool) {
		for n := range f.Within(f.Function(s.diff)) {
			if f.Start(n) >= from && f.End(n) <= to && !yield(n) {
				return
			}
		}
	}
}

// readAgain reports whether a loop assigns a reading of the clock to the name
// that a difference is taken to.
func (f *File) readAgain(s span, loop syntax.Node) bool {
	list, _ := f.Values(f.Child(s.diff, syntax.RoleRight))
	for _, v := range list {
		if f.isClock(v) && f.Start(v) > f.Start(s.diff) && f.Holds(loop, v) {
			return true
		}
	}
	return false
}
