package rundir

import (
	"math"

	"github.com/trainvet/trainvet/guards/record"
	"github.com/trainvet/trainvet/logscan/evidence"
)

// Bounds on what one process can make the evidence hold. Totals stay exact;
// only the points between first and last are thinned out.
const (
	maxFindings = 1024 // kept one by one; further ones are folded by kind
	maxPoints   = 1024 // of a metric or a step ledger
	maxSkips    = 512  // stretches of skipped steps
	maxSeries   = 4096 // metrics, and optimizers, of a process
)

func (p *process) addFault(b *record.Fault, at evidence.Pos, sink *evidence.Pos) {
	from := b.From
	if from == record.None {
		from = b.Step
	}
	p.finding(evidence.Finding{Code: b.Code, Class: string(record.ClassFault), Effect: string(b.Effect), Scope: evidence.Scope(b.Scope),
		From: known(from), Until: known(b.Until), Metric: b.Metric, Text: b.Text, Pid: p.boot.Pid, Device: b.Device,
		Site: siteName(p.sites[b.Site]), At: at, Sink: sink})
}

func (p *process) addFinding(b *record.Finding, at evidence.Pos, sink *evidence.Pos) {
	if b.Class == record.ClassHook {
		p.boot.Errors++
		return
	}
	p.finding(evidence.Finding{Code: b.Code, Class: string(b.Class), Effect: string(b.Effect), Scope: evidence.Scope(b.Scope),
		From: known(b.From), Until: known(b.Until), Metric: b.Metric, Text: b.Text, Pid: p.boot.Pid,
		Site: siteName(p.sites[b.Site]), At: at, Sink: sink})
}

// finding keeps a finding, or folds it into the first of its kind once there
// are many: its steps then reach from the first to the last, never less.
func (p *process) finding(f evidence.Finding) {
	key := evidence.Finding{Code: f.Code, Effect: f.Effect, Scope: f.Scope, Metric: f.Metric, Site: f.Site, Device: f.Device}
	i, seen := p.folds[key]
	if !seen || len(p.findings) < maxFindings {
		if !seen {
			p.folds[key] = len(p.findings)
		}
		f.Count = 1
		p.findings = append(p.findings, f)
		return
	}
	first := &p.findings[i]
	first.Count++
	first.Last = &f.At
	first.From = lesser(first.From, f.From)
	first.Until = greater(first.Until, f.Until)
}

// lesser and greater widen a range; nil is open.
func lesser(a, b *float64) *float64 {
	if a == nil || b == nil {
		return nil
	}
	m := math.Min(*a, *b)
	return &m
}

func greater(a, b *float64) *float64 {
	if a == nil || b == nil {
		return nil
	}
	m := math.Max(*a, *b)
	return &m
}

// ledger folds the steps of one optimizer.
type ledger struct {
	out    evidence.StepLedger
	points thinner
}

func (p *process) ledgerOf(optimizer string) *ledger {
	if l := p.ledgers[optimizer]; l != nil {
		return l
	}
	l := &ledger{out: evidence.StepLedger{Optimizer: optimizer}}
	if len(p.steps) >= maxSeries {
		p.gap("more optimizers than can be kept")
		return l
	}
	p.ledgers[optimizer] = l
	p.steps = append(p.steps, l)
	return l
}

func (l *ledger) addStep(b *record.Step, at evidence.Pos, sink *evidence.Pos) {
	o := &l.out
	o.How, o.Planned, o.Step = b.How, max(o.Planned, b.Planned), known(b.Step)
	o.Attempted, o.Applied = max(o.Attempted, b.Attempted), max(o.Applied, b.Applied)
	o.Skipped, o.Samples = max(o.Skipped, b.Skipped), max(o.Samples, b.Samples)
	point := evidence.StepPoint{At: at, Sink: sink, Step: known(b.Step), Attempted: b.Attempted, Applied: b.Applied, Skipped: b.Skipped}
	o.Points = thin(&l.points, o.Points, point)
}

func (l *ledger) addSkip(b *record.Skip, at evidence.Pos, sink *evidence.Pos) {
	o := &l.out
	o.Skipped = max(o.Skipped, b.Total)
	s := evidence.Skips{At: at, Sink: sink, From: attempt(b.From), Until: attempt(b.Until), N: b.Count, InRow: b.Count, Step: known(b.Step), Reason: b.Reason, Floor: b.AtFloor}
	if b.Scaled {
		scale := evidence.Num(b.Scale)
		s.Scale = &scale
	}
	o.Skips = append(o.Skips, s)
	if len(o.Skips) > maxSkips {
		o.Skips, o.Folded = foldSkips(o.Skips), true
	}
}

// foldSkips joins neighbours two by two.
func foldSkips(skips []evidence.Skips) []evidence.Skips {
	out := skips[:0]
	for i := 0; i < len(skips); i += 2 {
		s := skips[i]
		if i+1 < len(skips) {
			next := skips[i+1]
			inRow := max(s.InRow, next.InRow)
			if s.GoesOnIn(&next) {
				inRow = s.InRow + next.InRow
			}
			s.N, s.InRow = s.N+next.N, inRow
			s.Until, s.Step, s.Scale = next.Until, next.Step, next.Scale
			s.Floor = s.Floor || next.Floor
		}
		out = append(out, s)
	}
	return out
}

func attempt(n int64) *int64 {
	if n == record.None {
		return nil
	}
	return &n
}

// reported folds the values of one metric.
type reported struct {
	out    evidence.Reported
	points thinner
}

// series is what makes two values values of one metric.
type series struct{ name, split, from string }

func (p *process) metricOf(b *record.Metric) *reported {
	key := series{b.Name, b.Split, b.From}
	if m := p.byName[key]; m != nil {
		return m
	}
	m := &reported{out: evidence.Reported{Name: b.Name, Split: b.Split, Source: b.From,
		Min: evidence.Num(math.Inf(1)), Max: evidence.Num(math.Inf(-1))}}
	if len(p.metrics) >= maxSeries {
		p.gap("more metrics than can be kept")
		return m
	}
	p.byName[key] = m
	p.metrics = append(p.metrics, m)
	return m
}

func (m *reported) add(b *record.Metric, at evidence.Pos, sink *evidence.Pos) {
	o, v := &m.out, evidence.Num(b.Value)
	o.N++
	if v.Finite() {
		o.Min, o.Max = min(o.Min, v), max(o.Max, v)
	} else {
		o.NonFinite++
	}
	point := evidence.ReportedPoint{At: at, Sink: sink, Value: v, Step: known(b.Step), Samples: attempt(b.N), Good: attempt(b.Good), Taint: b.Taint, Where: b.Where}
	if e := float64(b.Epoch); !math.IsNaN(e) {
		point.Epoch = &e
	}
	o.Points = thin(&m.points, o.Points, point)
}

func (m *reported) result() evidence.Reported {
	if m.out.N == m.out.NonFinite { // no finite value: there is no range
		m.out.Min, m.out.Max = evidence.Num(math.NaN()), evidence.Num(math.NaN())
	}
	return m.out
}

// thinner keeps every 2^k-th point, the first and the last: the last element
// of the list is always the newest point.
type thinner struct {
	shift uint
	seen  int64
}

func thin[P any](t *thinner, list []P, p P) []P {
	kept := t.seen == 0 || (t.seen-1)&(1<<t.shift-1) == 0 // was the newest one to stay?
	if kept {
		list = append(list, p)
	} else {
		list[len(list)-1] = p
	}
	t.seen++
	if len(list) <= maxPoints {
		return list
	}
	t.shift++
	out := list[:0]
	for i := 0; i < len(list)-1; i += 2 {
		out = append(out, list[i])
	}
	return append(out, list[len(list)-1])
}
