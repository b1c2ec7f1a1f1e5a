package metric

import (
	"context"
	"io"
	"math"
	slashpath "path"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/metric/tfevents"
	"github.com/trainvet/trainvet/logscan/metric/value"
	"github.com/trainvet/trainvet/logscan/metric/wandb"
)

// eventGroup gathers the events of one step: writers give each value an event
// of its own, and only together they show a loss beside its gradient norm.
type eventGroup struct {
	f      *fileRun
	values []value.Value
	at     place
	step   int64
	wall   float64
	eval   bool
	open   bool
}

// sameCall is how far apart, in seconds, the values of one log call are.
const sameCall = 2

// float32Digits is what a value stored in binary is good for, however short
// its text is.
const float32Digits = 7

func (g *eventGroup) take(e *tfevents.Event) {
	for i := range e.Scalars {
		v := &e.Scalars[i]
		n := g.f.name(v.Name)
		eval := evaluation(n.info.split)
		counter := n.info.counter != noCounter
		if g.open && (e.Step != g.step || math.Abs(e.WallTime-g.wall) > sameCall || !counter && eval != g.eval || g.holds(v.Name)) {
			g.flush()
		}
		if !g.open {
			g.open, g.at, g.step, g.eval = true, place{offset: e.Offset}, e.Step, eval
		}
		g.at.end, g.wall = e.End, e.WallTime
		g.values = append(g.values, *v)
	}
}

func (g *eventGroup) holds(name string) bool {
	for i := range g.values {
		if g.values[i].Name == name {
			return true
		}
	}
	return false
}

// flush emits the group. Its time is that of its last event: by then all its
// values had been computed.
func (g *eventGroup) flush() {
	if !g.open {
		return
	}
	f := g.f
	f.recognise(g.values, nil)
	rec := f.begin(g.at)
	rec.Phase = f.dirPhase(g.values)
	f.add(g.values, nil)
	rec.Step = Counter{Has: true, Name: "step", Value: float64(g.step), Total: rec.Step.Total}
	if ns, ok := seconds(g.wall); ok {
		rec.Time = f.clock.stamp("wall", ns, 1000, true)
	}
	for i := range rec.Fields {
		fd := &rec.Fields[i]
		fd.Digits = max(fd.Digits, float32Digits)
		// Lightning writes -1 for a metric that it was never given.
		fd.Placeholder = fd.Name == "hp_metric" && fd.Value == -1
	}
	f.end()
	g.values, g.open = g.values[:0], false
}

// dirPhase reads the data set off the folder: Keras and Estimators write one
// folder each, and torch's add_scalars one for each line of a chart
// (Loss_val/ for the tag Loss).
func (f *fileRun) dirPhase(values []value.Value) Split {
	dir := strings.ToLower(slashpath.Base(slashpath.Dir(strings.ReplaceAll(f.id, "\\", "/"))))
	if s, ok := f.cat.lex.splits[dir]; ok {
		return s
	}
	i := strings.LastIndexByte(dir, '_')
	if i < 0 || len(values) == 0 || dir[:i] != strings.ToLower(strings.ReplaceAll(values[0].Name, "/", "_")) {
		return ""
	}
	return f.cat.lex.splits[dir[i+1:]]
}

func seconds(t float64) (int64, bool) {
	if !(t >= minUnix && t <= maxUnix) {
		return 0, false
	}
	sec, frac := math.Modf(t)
	return int64(sec)*1e9 + int64(math.Round(frac*1e9)), true
}

func (f *fileRun) events(ctx context.Context, r io.Reader) error {
	g := &eventGroup{f: f}
	records := 0
	info, err := tfevents.Read(ctx, r, func(e *tfevents.Event) error {
		if len(e.Scalars) > 0 {
			records++
		}
		f.session(g, e, records > 0)
		g.take(e)
		return nil
	})
	g.flush()
	f.res.Bytes = info.Bytes
	for _, gap := range info.Gaps {
		f.lost(gap.From, gap.To, gap.Zero, gap.Why)
	}
	if info.Tail != nil {
		f.note("offset %d: the file ends inside a record, as it does after a kill; the record is left out", info.Tail.Offset)
	}
	return err
}

// session turns a session log into a boundary or an artifact.
func (f *fileRun) session(g *eventGroup, e *tfevents.Event, written bool) {
	at := evidence.Pos{Source: f.id, Offset: e.Offset}
	if ns, ok := seconds(e.WallTime); ok {
		at.Time = ns
	}
	step := float64(e.Step)
	switch e.Session {
	case tfevents.SessionStart:
		if written {
			g.flush()
			f.res.Boundaries = append(f.res.Boundaries, evidence.Boundary{
				At: at, Kind: "restart", Resumed: &step, Text: "a session starts in the middle of the event file",
			})
		}
	case tfevents.SessionCheckpoint:
		if e.Checkpoint != "" {
			f.res.Artifacts = append(f.res.Artifacts, evidence.Artifact{At: at, Op: "wrote", Path: e.Checkpoint, Step: &step})
		}
	}
}

// lost notes a stretch that could not be read.
func (f *fileRun) lost(from, to int64, zero bool, why string) {
	if zero {
		f.broken("nul-hole", from, 0, "%d zero bytes from offset %d", to-from, from)
		return
	}
	f.broken("gap", from, 0, "%d bytes from offset %d are lost: %s", to-from, from, why)
}

func (f *fileRun) wandb(ctx context.Context, r io.Reader) error {
	runs := 0
	last := map[string]string{} // values by name
	h := wandb.Handler{
		History: func(h *wandb.History) error {
			rec := f.begin(place{offset: h.Offset, end: h.End})
			values := withoutOwn(h.Values)
			f.add(values, nil)
			f.logCalls(rec, h)
			f.end()
			for i := range values {
				if len(last) < maxFileNames {
					last[values[i].Name] = values[i].Text
				}
			}
			return nil
		},
		Run: func(s *wandb.Run) error {
			f.res.Host = s.Host
			f.wandbRun(s, runs)
			runs++
			return nil
		},
	}
	if f.console != nil {
		h.Output = func(o *wandb.Output) error {
			return f.console(ConsoleText{Offset: o.Offset, Stream: o.Stream, Time: o.Time.UnixNano(), Text: o.Text})
		}
	}
	info, err := wandb.Read(ctx, r, h)
	f.res.Bytes, f.res.Exit = info.Bytes, info.Exit
	for _, gap := range info.Gaps {
		f.lost(gap.From, gap.To, gap.Zero, gap.Why)
	}
	if info.Tail != nil {
		f.note("offset %d: the file ends inside a record, as it does after a kill; the record is left out", info.Tail.Offset)
	}
	if info.Bad > 0 {
		f.note("%d records hold what no wandb record does", info.Bad)
	}
	f.lastSummary(info.Summary, last)
	return err
}

// logCalls: without a step of its own a record has only W&B's count of log
// calls, which is no step of the training and orders nothing outside the file.
func (f *fileRun) logCalls(rec *Record, h *wandb.History) {
	if rec.Step.Has && rec.Step.Name != f.name("_step").info.name || !h.HasStep {
		return
	}
	rec.Step = Counter{Has: true, Name: "log_call", Value: float64(h.Step)}
	rec.EvalBar = true
}

func (f *fileRun) wandbRun(s *wandb.Run, before int) {
	if before == 0 {
		return
	}
	step := float64(s.StartingStep)
	b := evidence.Boundary{At: evidence.Pos{Source: f.id, Offset: s.Offset}, Kind: "restart", Text: "the run is begun again in the same file"}
	if s.Resumed {
		b.Resumed = &step
	}
	f.res.Boundaries = append(f.res.Boundaries, b)
}

// lastSummary emits what the run's summary holds beyond the last values of the
// history, of which it otherwise is a copy: a best value, or one that was set
// by hand. When it was computed is not known.
func (f *fileRun) lastSummary(values []value.Value, last map[string]string) {
	var own []value.Value
	at := place{}
	for _, v := range withoutOwn(values) {
		if text, logged := last[v.Name]; !logged || text != v.Text {
			own = append(own, v)
			at.offset = max(at.offset, v.Offset)
		}
	}
	at.end = at.offset
	f.final, f.undated = true, true
	f.apart(at, "wandb-summary", own)
}

func withoutOwn(values []value.Value) []value.Value {
	kept := values[:0]
	for _, v := range values {
		if !strings.HasPrefix(v.Name, "_wandb") {
			kept = append(kept, v)
		}
	}
	return kept
}
