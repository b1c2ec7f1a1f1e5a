package metric

import (
	"context"
	"errors"
	"io"
	slashpath "path"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/metric/document"
	"github.com/trainvet/trainvet/logscan/metric/jsonl"
	"github.com/trainvet/trainvet/logscan/metric/tolerant"
	"github.com/trainvet/trainvet/logscan/metric/trainerstate"
	"github.com/trainvet/trainvet/logscan/metric/value"
)

func (f *fileRun) trainerState(ctx context.Context, r io.Reader) error {
	seen := evalKinds{}
	state, err := trainerstate.Read(ctx, r, func(e *trainerstate.Entry) error {
		rec := f.begin(place{e.Offset, e.End, e.Line})
		rec.Format = "hf-state"
		if !evaluates(e.Values) {
			rec.Phase = SplitTrain
		}
		f.add(e.Values, nil)
		if rec.Phase == SplitTrain {
			f.window(evidence.Interval)
		}
		f.end()
		seen.take(rec)
		return nil
	})
	f.repeated(state.Repeated)
	f.cutJSON(err)
	if state.MaxSteps != nil {
		f.res.Planned = max(f.res.Planned, state.MaxSteps.Number)
	}
	f.best(&state, seen)
	return err
}

// evalKinds remembers what the values of evaluations measure: the best one
// stands in the state without its name.
type evalKinds map[float64]evidence.Kind

func (k evalKinds) take(r *Record) {
	const most = 1 << 12
	for i := range r.Fields {
		if fd := &r.Fields[i]; fd.Role == evidence.Eval && isQuality(fd.Kind) && len(k) < most {
			k[fd.Value] = fd.Kind
		}
	}
}

// evaluates: the Trainer prefixes what it measured on another set.
func evaluates(values []value.Value) bool {
	for i := range values {
		name := values[i].Name
		if strings.HasPrefix(name, "eval_") || strings.HasPrefix(name, "test_") || strings.HasPrefix(name, "predict_") {
			return true
		}
	}
	return false
}

// window gives values that name none the window of their writer.
func (f *fileRun) window(w evidence.Window) {
	for i := range f.rec.Fields {
		if fd := &f.rec.Fields[i]; isQuality(fd.Kind) && fd.Window == evidence.Instant {
			fd.Window = w
		}
	}
}

// best emits what the state says about the whole run.
func (f *fileRun) best(s *trainerstate.State, seen evalKinds) {
	var step *float64
	if s.GlobalStep != nil {
		step = &s.GlobalStep.Number
	}
	if s.BestCheckpoint != "" {
		f.res.Artifacts = append(f.res.Artifacts, evidence.Artifact{
			At: evidence.Pos{Source: f.id, Line: s.BestCheckLine}, Op: "wrote", Path: s.BestCheckpoint, Step: checkpointStep(s.BestCheckpoint),
		})
	}
	if s.Best == nil {
		return
	}
	rec := f.begin(place{s.BestAt.Offset, s.BestAt.End, s.BestAt.Line})
	rec.Format, rec.Phase = "hf-state-best", SplitVal
	if step != nil {
		rec.Step = Counter{Has: true, Name: "step", Value: *step}
	}
	f.add([]value.Value{*s.Best}, nil)
	for i := range rec.Fields {
		fd := &rec.Fields[i]
		fd.Role, fd.Window = evidence.Final, evidence.Best
		fd.Split = SplitVal
		if kind, ok := seen[fd.Value]; ok {
			fd.Kind = kind
		}
	}
	if len(rec.Fields) > 0 {
		f.emit(rec)
	}
}

// checkpointStep reads the step in "out/checkpoint-500".
func checkpointStep(name string) *float64 {
	base := slashpath.Base(strings.ReplaceAll(name, "\\", "/"))
	_, digits, ok := strings.Cut(base, "checkpoint-")
	if n, isNumber := value.Parse(digits); ok && isNumber {
		return &n
	}
	return nil
}

// results reads all_results.json and its kin: one record that sums up a run.
func (f *fileRun) results(ctx context.Context, r io.Reader) error {
	f.final = true
	return f.document(ctx, r)
}

// wandbSummary reads wandb-summary.json. Each of its values may have been set
// long before the step and time that stand beside it, so it takes neither.
func (f *fileRun) wandbSummary(ctx context.Context, r io.Reader) error {
	f.final, f.undated = true, true
	return f.document(ctx, r)
}

func (f *fileRun) document(ctx context.Context, r io.Reader) error {
	info, err := document.Read(ctx, r, func(d *document.Record) error {
		f.recognise(d.Values, d.Texts)
		at, values := place{d.Offset, d.End, d.Line}, f.plain(d.Values, d.Texts)
		if f.undated {
			f.apart(at, f.kind, values)
			return nil
		}
		f.begin(at)
		f.add(values, d.Texts)
		f.end()
		return nil
	})
	f.repeated(info.Repeated)
	f.cutJSON(err)
	return err
}

// apart emits values that stand together and were not written together: those
// of one group of names as one record, for a log call mostly writes whole
// groups, and every other by itself.
func (f *fileRun) apart(at place, format string, values []value.Value) {
	var dirs []string
	groups := map[string][]value.Value{}
	for _, v := range values {
		dir, _, _ := cutLast(v.Name)
		if groups[dir] == nil {
			dirs = append(dirs, dir)
		}
		groups[dir] = append(groups[dir], v)
	}
	for _, dir := range dirs {
		f.begin(at).Format = format
		f.add(groups[dir], nil)
		f.end()
	}
}

// plain leaves out what describes a picture or a table (an object that names
// its type) and what a writer keeps for itself.
func (f *fileRun) plain(values []value.Value, texts map[string]string) []value.Value {
	kept := values[:0]
	for _, v := range values {
		dir, _, nested := cutLast(v.Name)
		if _, typed := texts[dir+"/_type"]; nested && typed || strings.HasPrefix(v.Name, "_wandb/") {
			continue
		}
		kept = append(kept, v)
	}
	return kept
}

func cutLast(name string) (dir, base string, ok bool) {
	i := strings.LastIndexByte(name, '/')
	if i < 0 {
		return "", name, false
	}
	return name[:i], name[i+1:], true
}

func (f *fileRun) jsonLines(ctx context.Context, r io.Reader) error {
	info, err := jsonl.Read(ctx, r, func(l *jsonl.Record) error {
		f.recognise(l.Values, l.Texts)
		f.begin(place{l.Offset, l.End, l.Line})
		f.add(f.unwrap(l.Values), l.Texts)
		f.lists(l.Lists)
		f.end()
		return nil
	})
	f.res.Bytes, f.res.Lines = info.Bytes, info.Lines
	f.repeated(info.Repeated)
	if info.Torn != nil {
		f.note("line %d: the last record was cut off and is left out: %s", info.Torn.Line, info.Torn.Why)
	}
	for _, b := range info.Bad {
		f.badPlace(b.Offset, b.Line, b.Zero, b.Why)
	}
	f.more(info.BadLines, len(info.Bad))
	return err
}

// lists adds what an evaluation gives as a list, as COCO's twelve numbers are;
// lists of predictions, weights and rates are none.
func (f *fileRun) lists(values []value.Value) {
	for i := range values {
		if n := f.name(values[i].Name); n.info.standing == strong && n.info.eval {
			f.value(n, &values[i])
		}
	}
}

// unwrap takes the keys off that only group: {"results": {"fid": 1}}.
func (f *fileRun) unwrap(values []value.Value) []value.Value {
	for i := range values {
		for _, key := range [...]string{"results/", "metrics/", "scalars/", "data/"} {
			if rest, ok := strings.CutPrefix(values[i].Name, key); ok && f.kind == "jsonl" {
				values[i].Name = rest
				break
			}
		}
	}
	return values
}

func (f *fileRun) badPlace(offset, line int64, zero bool, why string) {
	if zero {
		f.broken("nul-hole", offset, line, "line %d: NUL bytes: the file was truncated while it was open, or its disk lost a block", line)
		return
	}
	f.note("line %d could not be read: %s", line, why)
}

func (f *fileRun) more(all int64, named int) {
	if n := all - int64(named); n > 0 {
		f.note("%d more lines could not be read", n)
	}
}

// cutJSON notes the place where the input ended inside a value.
func (f *fileRun) cutJSON(err error) {
	var cut *tolerant.TruncatedError
	if errors.As(err, &cut) {
		f.broken("truncated", cut.Offset, cut.Line, "the file ends inside %s", cut.Inside)
	}
}
