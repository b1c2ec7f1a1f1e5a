package metric

import (
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/metric/value"
)

// maxFileNames bounds the cache of names; a file has some hundred of them.
const maxFileNames = 1 << 14

// fileName is what is known of one key of a file.
type fileName struct {
	printed string
	info    nameInfo
	use     keyUse
	parent  string // of a statistic
}

// count is a number of samples, of the values whose names begin so.
type count struct {
	prefix string
	n      int64
}

// place is where a record stands in its file.
type place struct{ offset, end, line int64 }

// fileRun is the reading of one file.
type fileRun struct {
	cat    *Catalog
	tables *fileTables
	kind   string
	id     string
	emit   func(*Record)
	res    FileResult
	rec    Record
	names  map[string]*fileName

	console  func(ConsoleText) error
	beside   func(ending, otherwise string) (io.ReadCloser, error)
	writer   *fileKind
	tried    int // records in which a writer was looked for
	clock    fileClock
	shift    float64 // added to epochs
	counts   []count // of the record
	since    int64   // time since the start that the record says; sinceRes 0: none
	sinceRes int64
	within   bool // the record holds the key that its writer's step needs
	final    bool // the file is a summary: its evaluation values are final
	// undated: values that stand together were not written together.
	undated bool
}

func (f *fileRun) name(printed string) *fileName {
	if n, ok := f.names[printed]; ok {
		return n
	}
	key := strings.Clone(printed)
	called := key
	if f.writer != nil && f.writer.renames[key] != "" {
		called = f.writer.renames[key]
	}
	n := &fileName{printed: called, info: f.cat.lex.classify(called)}
	n.use = f.tables.uses[n.info.name]
	if first, _, nested := strings.Cut(called, "/"); nested && f.tables.uses[strings.ToLower(first)+"/*"] == useIgnore {
		n.use = useIgnore
	} else {
		f.statistic(n)
	}
	if len(f.names) >= maxFileNames {
		clear(f.names)
	}
	f.names[key] = n
	return n
}

// statistic reads the last part of a nested name: {"loss": {"mean": 1, "num": 8}}.
func (f *fileRun) statistic(n *fileName) {
	parent, last, nested := cutLast(n.printed)
	use := f.tables.uses["*/"+strings.ToLower(last)]
	if !nested || use == "" {
		return
	}
	info := f.cat.lex.classify(parent)
	if info.standing < weak || info.counter != noCounter {
		return
	}
	full := n.info.name
	n.use, n.info, n.parent = use, info, parent
	switch use {
	case useValue:
	case useBest:
		n.info.name, n.info.window = full, evidence.Best
	default:
		n.info.name = full
	}
}

// begin starts a record; nothing of the one before is left.
func (f *fileRun) begin(at place) *Record {
	f.within, f.since, f.sinceRes, f.counts = false, 0, 0, f.counts[:0]
	f.rec = Record{Fields: f.rec.Fields[:0], Format: f.kind, Offset: at.offset, End: at.end, Line: at.line}
	if f.writer != nil {
		f.rec.Format, f.rec.Phase = f.writer.id, f.writer.phase
	}
	return &f.rec
}

// add puts values and texts of one group of keys into the record.
func (f *fileRun) add(values []value.Value, texts map[string]string) {
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		f.text(f.name(key), texts[key])
	}
	best := [2]int{-1, -1}
	for i := range values {
		n := f.name(values[i].Name)
		if n.info.counter != noCounter && n.use == "" {
			f.counter(n, values[i].Number, &best)
			continue
		}
		f.value(n, &values[i])
	}
}

func (f *fileRun) text(n *fileName, text string) {
	switch n.use {
	case useTime:
		if ns, resolution, zone, ok := dateTime(text); ok {
			f.date(ns, resolution, zone)
		}
	case useElapsed:
		if ns, ok := duration(text); ok {
			f.since, f.sinceRes = ns, 1e9
		}
	case usePhase:
		if s, ok := f.cat.lex.splits[strings.ToLower(text)]; ok {
			f.rec.Phase = s
		}
	}
}

// counter takes a step or epoch; of several the one that counts training best.
func (f *fileRun) counter(n *fileName, v float64, best *[2]int) {
	f.within = f.within || f.writer != nil && n.info.name == f.writer.without
	c, i := &f.rec.Step, 0
	if n.info.counter == epochCounter {
		c, i = &f.rec.Epoch, 1
	}
	// -1 says that there is none: an evaluation at the end of an epoch.
	if n.info.priority <= best[i] || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
		return
	}
	best[i] = n.info.priority
	if i == 1 {
		v += f.shift
	}
	*c = Counter{Has: true, Name: n.info.name, Value: v, Total: c.Total}
}

func (f *fileRun) value(n *fileName, v *value.Value) {
	if f.writer != nil && f.writer.elapsed != "" && n.info.name == f.writer.elapsed {
		f.elapsed(v.Number)
		return
	}
	switch n.use {
	case useTime:
		if ns, resolution, ok := unixTime(v.Text, v.Number); ok {
			f.date(ns, resolution, true)
			return
		}
	case useElapsed:
		f.elapsed(v.Number)
		return
	case useTotalStep:
		f.rec.Step.Total = v.Number
		return
	case useTotalEpoch:
		f.rec.Epoch.Total = v.Number
		return
	case useIgnore, usePhase:
		return
	case useSamples:
		f.counts = append(f.counts, count{n.parent + "/", int64(v.Number)})
		return
	}
	if n.info.standing == rejected {
		return
	}
	f.rec.Fields = append(f.rec.Fields, Field{
		Name: n.info.name, Printed: n.printed, Value: v.Number, Text: v.Text, Digits: value.Digits(v.Text),
		Kind: n.info.kind, Split: n.info.split, Window: n.info.windowOr(evidence.Instant),
	})
}

// date stamps the record.
func (f *fileRun) date(ns, resolution int64, zone bool) {
	if !f.undated {
		f.rec.Time = f.clock.stamp("wall", ns, resolution, zone)
	}
}

// elapsed notes the time since the start: it stamps a record without a date.
func (f *fileRun) elapsed(seconds float64) {
	if ns, ok := elapsedNanos(seconds); ok {
		f.since, f.sinceRes = ns, 1e6
	}
}

// end gives the fields their roles and hands the record over.
func (f *fileRun) end() {
	r := &f.rec
	f.writerCounters(r)
	if r.Time == 0 && f.sinceRes > 0 && !f.undated {
		r.Time = f.clock.stamp("since-start", f.since, f.sinceRes, false)
	}
	if f.undated {
		r.Step, r.Epoch, r.Time = Counter{}, Counter{}, 0
	}
	f.res.Planned = max(f.res.Planned, r.Step.Total)
	eval := f.evalRecord(r)
	for i := range r.Fields {
		fd := &r.Fields[i]
		n := f.name(fd.Printed)
		if fd.Split == "" {
			fd.Split = r.Phase
		}
		fd.Role = deriveRole(&n.info, fd.Split, eval)
		if n.use == useSpread {
			fd.Role = evidence.Diagnostic
		}
		if f.final && fd.Role == evidence.Eval {
			fd.Role = evidence.Final
		}
		if f.writer != nil && f.writer.window != "" && fd.Window == evidence.Instant &&
			fd.Role == evidence.Series && isQuality(fd.Kind) {
			fd.Window = f.writer.window
		}
	}
	f.qualify(r)
	f.sampleCounts(r)
	if len(r.Fields) > 0 {
		f.emit(r)
	}
}

// qualify marks a run's summary: what it says of training covers all of it.
func (f *fileRun) qualify(r *Record) {
	if !slices.ContainsFunc(r.Fields, func(fd Field) bool { return fd.Name == "train_runtime" }) {
		return
	}
	r.Process = true
	for i := range r.Fields {
		fd := &r.Fields[i]
		if evaluation(fd.Split) {
			continue
		}
		fd.Window = evidence.WholeRun
		if isQuality(fd.Kind) {
			fd.Role = evidence.Final
		}
	}
}

func evaluation(s Split) bool { return s == SplitVal || s == SplitTest }

// writerCounters mends counters that the file's writer means otherwise.
func (f *fileRun) writerCounters(r *Record) {
	if f.writer == nil || !r.Step.Has {
		return
	}
	switch {
	case f.writer.without != "" && !f.within:
		r.Epoch = Counter{Has: true, Name: "epoch", Value: r.Step.Value}
		r.Step = Counter{}
	case f.writer.epochKeys != "" && allBegin(r.Fields, f.writer.epochKeys):
		r.Epoch = Counter{Has: true, Name: "epoch", Value: r.Step.Value + 1}
		r.Step = Counter{}
	}
}

func allBegin(fields []Field, prefix string) bool {
	for i := range fields {
		if !strings.HasPrefix(fields[i].Printed, prefix) {
			return false
		}
	}
	return len(fields) > 0
}

// evalRecord: the record holds evaluation values and nothing of training.
func (f *fileRun) evalRecord(r *Record) bool {
	switch {
	case evaluation(r.Phase) || f.final:
		return true
	case r.Phase == SplitTrain || r.Step.Has:
		return false
	}
	for i := range r.Fields {
		fd := &r.Fields[i]
		switch fd.Kind {
		case evidence.KindRate, evidence.KindNorm, evidence.KindScale:
			return false
		case evidence.KindLoss:
			if !evaluation(fd.Split) {
				return false
			}
		}
		if fd.Split == SplitTrain {
			return false
		}
	}
	return true
}

// sampleCounts gives eval_samples to the values that eval names, and so on for
// each prefix.
func (f *fileRun) sampleCounts(r *Record) {
	for i := range f.counts {
		n := f.counts[i].n
		for j := range r.Fields {
			if strings.HasPrefix(r.Fields[j].Printed, f.counts[i].prefix) {
				r.Fields[j].Samples = &n
			}
		}
	}
	for i := range r.Fields {
		prefix, ok := strings.CutSuffix(r.Fields[i].Name, "_samples")
		if !ok || prefix == "" || !evaluation(r.Fields[i].Split) || r.Fields[i].Value != math.Trunc(r.Fields[i].Value) {
			continue
		}
		n := int64(r.Fields[i].Value)
		for j := range r.Fields {
			fd := &r.Fields[j]
			if j != i && fd.Samples == nil && isQuality(fd.Kind) && strings.HasPrefix(fd.Name, prefix+"_") {
				fd.Samples = &n
			}
		}
	}
}
