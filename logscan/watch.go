package logscan

import (
	"fmt"
	"maps"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/marker"
	"github.com/trainvet/trainvet/logscan/metric"
	"github.com/trainvet/trainvet/logscan/source"
)

// flushWatch looks for proof that the writer of the metrics flushes by line: a
// non-empty stretch of its bytes, shorter than a block buffer, between two
// foreign lines or between the start of the file and one.
type flushWatch struct {
	block   int64 // the smallest block that a stdout which is no terminal holds back
	since   int64 // end of the last foreign line
	from    int64 // the stretch before that line
	to      int64
	records int  // own records since then
	foreign bool // a line of standard error was seen
	shown   bool
}

// own sees a record of the writer. One of several lines is known only behind its
// last, which can be behind a foreign line.
func (w *flushWatch) own(offset int64) {
	switch {
	case offset >= w.since:
		w.records++
	case offset >= w.from && offset < w.to && w.to-w.from < w.block:
		w.shown = true
	}
}

// marker sees a marker line. Only writers that cannot share the metrics' buffer
// are foreign: the driver, native code and Python's standard error. What a shell
// or a launcher prints may come after the process flushed everything at its exit.
func (w *flushWatch) marker(origin string, start, end int64) {
	switch origin {
	case "driver", "runtime", "python", "kernel":
		w.line(start, end)
	}
}

// bar sees a record of a progress bar: tqdm writes to standard error.
func (w *flushWatch) bar(l *source.Line) {
	if l.Bar {
		w.line(l.Offset, l.End)
	}
}

func (w *flushWatch) line(start, end int64) {
	w.foreign = true
	if w.records > 0 && start-w.since < w.block {
		w.shown = true
	}
	w.from, w.to, w.since, w.records = w.since, start, end, 0
}

// startWatch recognises where a new process begins in one stream.
type startWatch struct {
	lastCrash int64  // offset of the last line that ends a process; -1: none since the last record
	crashed   string // the process that it ends; empty: not said
	counters  map[clockKey]*clock
	epoch     metric.Counter             // the epoch that the source named last
	epochs    map[string]*metric.Counter // and where lines name their process, by it

	shell  int64              // offset of the last line in which a shell says that its child is dead; -1: none since the last record
	loaded *evidence.Boundary // where a file was loaded behind that line
}

// clock is the training counter of one record shape.
type clock struct {
	step, epoch       float64
	hasStep, hasEpoch bool
	first, firstEpoch float64 // of this run
	total             float64 // announced end of the step counter; 0: not said
	perEpoch          bool    // the counter begins anew in each epoch
}

func (w *startWatch) ended(offset int64, printer string) { w.lastCrash, w.crashed = offset, printer }

// hasEnded: something ended the process of a record.
func (w *startWatch) hasEnded(r *metric.Record) bool {
	return w.lastCrash >= 0 && !evidence.Apart(w.crashed, r.Printer)
}

// reaped: a shell tells that its child is dead.
func (w *startWatch) reaped(offset int64) { w.shell, w.loaded = offset, nil }

// loads sees a line that tells of a file being loaded.
func (w *startWatch) loads(at evidence.Pos, text string) {
	if w.shell >= 0 && w.loaded == nil {
		at.Offset = w.shell + 1
		w.loaded = &evidence.Boundary{At: at, Kind: "restart", NewProcess: true, Text: text}
	}
}

// evaluates: behind the end of a shell's child a checkpoint is loaded and a result
// without any counter printed: that is another program. What has a counter is
// told by that.
func (w *startWatch) evaluates(r *metric.Record) (evidence.Boundary, bool) {
	b := w.loaded
	w.shell, w.loaded = -1, nil
	if b == nil || r.Step.Has || r.Epoch.Has {
		return evidence.Boundary{}, false
	}
	return *b, true
}

// record sees a record and tells whether its counters go back: the run started
// again. That the process is a new one is proven only if something ended the
// old one in between; the same process may train several folds.
func (w *startWatch) record(r *metric.Record, src string) (evidence.Boundary, bool) {
	if b, ok := w.evaluates(r); ok {
		return b, true
	}
	epoch := w.epochOf(r.Printer)
	if r.Epoch.Has {
		*epoch = r.Epoch
	}
	if r.EvalBar || r.Phase == "val" || r.Phase == "test" || (!r.Step.Has && !r.Epoch.Has) || passOfEval(r) {
		return evidence.Boundary{}, false
	}
	if w.counters == nil {
		w.counters = map[clockKey]*clock{}
	}
	key := clockKeyOf(r)
	now := clock{step: r.Step.Value, epoch: epoch.Value, hasStep: r.Step.Has, hasEpoch: epoch.Has, first: r.Step.Value, firstEpoch: epoch.Value, total: r.Step.Total, perEpoch: r.Step.Name == "batch"}
	kept := w.counters[key]
	if kept == nil {
		first := now
		w.counters[key] = &first
		return evidence.Boundary{}, false
	}
	last := *kept
	now.first, now.firstEpoch = last.first, last.firstEpoch
	*kept = now
	if !now.behind(&last) {
		if w.hasEnded(r) && now.ahead(&last) {
			w.lastCrash = -1 // the process goes on, or a new one went on behind it
		}
		return evidence.Boundary{}, false
	}
	maps.DeleteFunc(w.counters, func(k clockKey, _ *clock) bool { return k.printer == r.Printer })
	now.first, now.firstEpoch = r.Step.Value, epoch.Value
	*kept = now
	w.counters[key] = kept
	b := evidence.Boundary{At: evidence.Pos{Source: src, Offset: r.Offset, Line: r.Line, Time: r.Time}, Kind: "counter-back", Printer: r.Printer}
	if w.hasEnded(r) {
		b.NewProcess, b.Kind = true, "restart"
		b.At.Offset = w.lastCrash + 1
	}
	from, to := last.where(&now), now.where(&last)
	b.Text = fmt.Sprintf("the counter goes back from %s to %s", from, to)
	b.Resumed = now.resumed(&last)
	w.lastCrash = -1
	return b, true
}

// epochOf is where the epoch that a process named last is kept. Most sources name
// no process, and need no map at each record.
func (w *startWatch) epochOf(printer string) *metric.Counter {
	if printer == "" {
		return &w.epoch
	}
	e := w.epochs[printer]
	if e == nil {
		if w.epochs == nil {
			w.epochs = map[string]*metric.Counter{}
		}
		e = &metric.Counter{}
		w.epochs[printer] = e
	}
	return e
}

// clockKey tells apart records that may count differently: an event file counts
// batches under one name and epochs under another.
type clockKey struct {
	format, step, field string
	epoch               bool
	printer             string
}

func clockKeyOf(r *metric.Record) clockKey {
	key := clockKey{format: r.Format, step: r.Step.Name, epoch: r.Epoch.Has, printer: r.Printer}
	if len(r.Fields) > 0 {
		key.field = r.Fields[0].Name
	}
	return key
}

// passOfEval: the counter runs through one pass over an evaluation set, and
// begins anew with the next.
func passOfEval(r *metric.Record) bool {
	return r.Step.Total > 0 && !r.Epoch.Has && holdsEval(r)
}

// behind compares epoch first: a step counter that begins anew in each epoch
// does not go back.
func (c *clock) behind(last *clock) bool {
	if c.hasEpoch && last.hasEpoch && c.epoch != last.epoch {
		return c.epoch < last.epoch && (!c.hasStep || !last.hasStep || c.step <= last.step)
	}
	if c.perEpoch || last.total > 0 && last.step >= last.total-1 {
		return false // the bar before was full: this is the next one
	}
	return c.hasStep && last.hasStep && c.step < last.step
}

func (c *clock) ahead(last *clock) bool {
	return (c.hasStep && c.step > last.step) || (c.hasEpoch && c.epoch > last.epoch)
}

func (c *clock) where(other *clock) string {
	if c.hasEpoch && (c.epoch != other.epoch || !c.hasStep) {
		return fmt.Sprintf("epoch %g", c.epoch)
	}
	return fmt.Sprintf("step %g", c.step)
}

// resumed is the step from which the new process went on: from scratch when it
// prints the same first step as the run before, or where only epochs are counted
// the same first epoch.
func (c *clock) resumed(last *clock) *float64 {
	from := 0.0
	switch {
	case c.hasStep && !c.perEpoch:
		if c.step > last.first {
			from = c.step
		}
	case !c.hasEpoch || c.epoch > last.firstEpoch:
		return nil
	}
	return &from
}

// resumedBy is the step from which a process went on that began behind a fault:
// from scratch when it counts from where another one of this source began.
func (w *startWatch) resumedBy(r *metric.Record) *float64 {
	key := clockKeyOf(r)
	var from *float64
	for k, c := range w.counters {
		like := k
		if like.printer = r.Printer; k.printer == r.Printer || like != key {
			continue
		}
		now := clock{step: r.Step.Value, epoch: r.Epoch.Value, hasStep: r.Step.Has, hasEpoch: r.Epoch.Has}
		if at := now.resumed(c); at != nil && (from == nil || *at < *from) {
			from = at
		}
	}
	return from
}

// restarted sees a marker that is itself the start of new processes.
func (w *startWatch) restarted(m *marker.Match, at evidence.Pos, text []byte) (evidence.Boundary, bool) {
	kind := m.Attrs["boundary"]
	if kind == "start" { // of a program, by a shell or a launcher
		kind = "restart"
	}
	if kind == "" {
		return evidence.Boundary{}, false
	}
	b := evidence.Boundary{At: at, Kind: kind, Text: clip(text, m.Start)}
	b.NewProcess = kind == "restart" || kind == "reboot"
	b.DeviceReset = kind == "reset" || kind == "reboot" || kind == "probe-passed"
	return b, true
}
