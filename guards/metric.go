package guards

import (
	"fmt"
	"math"
	"strings"
	"sync/atomic"

	"github.com/trainvet/trainvet/guards/record"
)

// Metric is a value that the trainer reports, with its name and its split.
// Name it as the log does, so that the audit finds one beside the other.
type Metric struct {
	run    *Run
	name   string
	split  string
	expect atomic.Int64 // samples that the evaluation is to have; 0: not said
}

// Metric returns a metric. The split is train, val or test; empty where the
// name says it.
func (r *Run) Metric(name, split string) *Metric {
	return &Metric{run: r, name: name, split: split}
}

// NewMetric is [Run.Metric] of the default run.
func NewMetric(name, split string) *Metric { return Default().Metric(name, split) }

// Expect says how many samples are to stand behind each value. A value from
// fewer is a finding: a worker that died, or an item that a handler dropped,
// leaves a mean over the rest.
func (m *Metric) Expect(samples int64) *Metric {
	m.expect.Store(max(samples, 0))
	return m
}

// Report records a value and the number of samples behind it; [None] where that
// is not known. One that is not finite is recorded as it is.
//
// It returns the fault that the run has seen before, since the value is then no
// measurement, or a finding: 0 samples ([ErrQuality]), or fewer than expected.
// Call it where the value is printed. Each call is a record.
func (m *Metric) Report(value float64, samples int64) error {
	return m.report(value, samples, None)
}

// ReportShare records the share of good ones among n samples, as accuracy is.
func (m *Metric) ReportShare(good, n int64) error {
	if n == 0 {
		return m.report(math.NaN(), 0, good)
	}
	return m.report(float64(good)/float64(n), n, good)
}

func (m *Metric) report(value float64, n, good int64) error {
	r := m.run
	if n < 0 {
		n = None
	}
	found := m.judge(n)
	if r.out != nil {
		if m.split != "train" { // a training loss is a forward value: skips do not judge it
			r.flushSteps()
		}
		r.write(&record.Metric{Name: m.name, Value: record.Float(value), Split: m.split, N: n, Good: good,
			Step: r.Step(), Epoch: record.Float(math.NaN()), Taint: r.tainted(), From: "trainer"})
	}
	if err := r.after("metric " + m.name); err != nil {
		return err
	}
	return found
}

// judge holds the number of samples against what it should be.
func (m *Metric) judge(n int64) error {
	e := seen("empty-evaluation")
	expect := m.expect.Load()
	switch {
	case n == None || n > 0 && n >= expect:
		return nil
	case n == 0:
		e.text = m.name + " was computed from zero samples"
	default:
		e.code = "incomplete-evaluation"
		e.text = fmt.Sprintf("%s was computed from %d of %d samples", m.name, n, expect)
	}
	// It touches this value alone; without a step nothing says which one that is.
	e.name = m.name
	m.run.bound(&e)
	var err error
	for _, e.metric = range m.patterns() {
		err = m.run.find(e)
	}
	return err
}

// patterns are the names that a log may give the metric: its own, and that
// behind its split. Other metrics of that split which end alike come from the
// same evaluation.
func (m *Metric) patterns() []string {
	name := auditName(m.name)
	prefixes := []string{m.split}
	if m.split == "val" {
		prefixes = append(prefixes, "eval")
	}
	out := []string{name}
	for _, p := range prefixes {
		if p == "" || strings.HasPrefix(name, p) {
			return out[:1] // the name says it
		}
		out = append(out, auditName(p)+"*"+name)
	}
	return out
}

// after is what a value or file is returned with that came after a fault; nil
// where there was none, or the policy is to record.
func (r *Run) after(what string) error {
	f := r.taint.Load()
	if f == nil || Policy(r.policy.Load()) == Record {
		return nil
	}
	return fmt.Errorf("%s comes after a fault: %w", what, f)
}

// auditName names a metric as the audit does: lower case, words joined by _. A *
// in a name stays one, which matches itself and more.
func auditName(name string) string {
	return strings.Map(func(c rune) rune {
		if c == ' ' || c == '-' || c == '\t' {
			return '_'
		}
		return c
	}, strings.ToLower(strings.TrimSpace(name)))
}
