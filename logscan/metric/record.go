package metric

import "github.com/trainvet/trainvet/logscan/evidence"

// Record is one set of values that was written together: a log line, a CSV
// row, a tfevents summary.
type Record struct {
	Format string // id in formats.tsv, "kv" for the generic scanner, or the file kind
	Flush  bool   // the format's writer is known to flush by line
	// Process: the record has no counter and closes a process: its values aggregate the whole of it.
	Process bool

	Rank    *int   // that the line's prefix names; nil: none
	Printer string // the process that it names; empty: none

	Offset int64 // of the record in its source
	End    int64
	Line   int64
	Time   int64 // Unix nanoseconds from the record itself or its prefix; 0: none

	Step    Counter // named step counter of training
	Epoch   Counter
	Phase   string // train, val, test: what the record itself or the header above it says
	EvalBar bool   // the counter belongs to an evaluation bar: it is no step clock
	Fields  []Field
}

// Counter is a step or epoch counter.
type Counter struct {
	Has   bool
	Name  string // as normalised: step, iter, num_updates, epoch ...
	Value float64
	Total float64 // announced end; 0: not said
}

// Field is one value.
type Field struct {
	Name    string  // normalised: lower case, words joined by _, prefix paths kept (losses/total_loss)
	Printed string  // as the log writes it
	Value   float64 // NaN and infinities as such
	Text    string  // exactly as printed
	Digits  int     // significant digits printed
	Role    evidence.Role
	Kind    evidence.Kind
	Split   string
	Window  evidence.Window
	// Placeholder: the format prints this before it has a value; it proves nothing.
	Placeholder bool
	// Absent: the format always prints this field and did not: Value is NaN.
	Absent  bool
	Samples *int64 // n of "k of n", or of a named sample count of the record
	Good    *int64 // k
}
