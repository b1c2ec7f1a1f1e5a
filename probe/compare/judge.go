package compare

import (
	"fmt"
	"math"
	"slices"

	"github.com/trainvet/trainvet/logscan/verdict"
)

// Options says how to compare.
type Options struct {
	Choose func(name string) bool // metrics to compare; nil: all that both arms claim
	// Within is the difference that does not matter, in the metric's own unit; 0:
	// one point for shares, 1 % of the value for all others.
	Within float64
	N      int // items behind each value, where the logs do not say
}

// defaultWithin is what does not matter where nobody says what does.
const defaultWithin = 0.01

// Audited says of each run what its audit said, and which must be refused.
func Audited(a, b []Run, opt Options) *Report {
	r := &Report{Version: Version}
	for _, arm := range []struct {
		name string
		runs []Run
	}{{"A", a}, {"B", b}} {
		for i := range arm.runs {
			r.Training = append(r.Training, training(arm.name, &arm.runs[i]))
			r.Refused = append(r.Refused, refuse(arm.name, &arm.runs[i], opt.Choose)...)
		}
	}
	return r
}

// Runs compares two arms of audited runs, metric by metric. An arm with a
// POISONED run is refused: then the report holds why, and no metric.
func Runs(a, b []Run, opt Options) (*Report, error) {
	r := Audited(a, b, opt)
	if len(r.Refused) > 0 {
		return r, nil
	}
	keys, missing := sharedKeys(slices.Concat(a, b), opt.Choose)
	if len(keys) == 0 {
		return nil, fmt.Errorf("the runs have no claim in common%s", missing)
	}
	if missing != "" {
		r.Notes = append(r.Notes, "not compared"+missing)
	}
	for _, key := range keys {
		r.Metrics = append(r.Metrics, compareKey(key, a, b, opt))
	}
	r.conclude()
	return r, nil
}

// refuse lists what is POISONED among what is to be compared: any claim, or the
// last value of each chosen metric.
func refuse(arm string, run *Run, choose func(string) bool) []Refusal {
	var out []Refusal
	for _, k := range run.keys() {
		if choose != nil && !choose(k.Name) {
			continue
		}
		for i := range run.Result.Claims {
			c := &run.Result.Claims[i]
			if (Key{c.Name, c.Split}) != k || c.Verdict != verdict.Poisoned || choose != nil && c != run.claim(k) {
				continue
			}
			out = append(out, Refusal{Arm: arm, Run: run.Path, Metric: k.String(), Why: texts(c.Why)})
			break
		}
	}
	if len(out) == 0 && choose == nil && run.Result.Headline == verdict.Poisoned {
		out = append(out, Refusal{Arm: arm, Run: run.Path, Why: texts(run.Result.Run.Why)})
	}
	return out
}

func texts(why []verdict.Reason) []string {
	var out []string
	for _, w := range why {
		out = append(out, w.Text)
	}
	return out
}

// sharedKeys are the metrics of which every run has a claim; missing names the
// others.
func sharedKeys(runs []Run, choose func(string) bool) (keys []Key, missing string) {
	for _, k := range runs[0].keys() {
		if choose != nil && !choose(k.Name) {
			continue
		}
		everywhere := true
		for i := range runs {
			if runs[i].claim(k) == nil {
				missing += fmt.Sprintf("; %s: %s does not have it", k, runs[i].Path)
				everywhere = false
				break
			}
		}
		if everywhere {
			keys = append(keys, k)
		}
	}
	return keys, missing
}

// compareKey compares one metric of two arms of runs.
func compareKey(key Key, a, b []Run, opt Options) Metric {
	m := Metric{Name: key.String(), Unit: "runs", A: sideOf(key, a), B: sideOf(key, b)}
	if !finite(m.A.Runs) || !finite(m.B.Runs) {
		return m.unmeasured()
	}
	g := itemsOf(key, a, b, opt.N)
	if g.ok {
		m.Granularity = &Granularity{N: g.n, Step: g.scale / float64(g.n), How: g.how}
	}
	m.Notes = append(m.Notes, g.notes...)
	m.Within = opt.Within
	if m.Within == 0 {
		m.Within = defaultWithin * max(abs(m.A.Value), abs(m.B.Value))
		if g.ok {
			m.Within = defaultWithin * g.scale
		}
	}
	switch {
	case g.ok && len(a) == 1 && len(b) == 1:
		m.testShares(g)
		m.describeShares(g, alphaDefault)
	default:
		m.testRuns(alphaDefault)
		m.describeRuns(alphaDefault)
	}
	return m
}

// unmeasured is a comparison in which a value is no number. More of it would not
// help.
func (m Metric) unmeasured() Metric {
	for _, s := range []*Side{&m.A, &m.B} {
		if !finite(s.Runs) {
			*s = Side{Text: "not finite", Verdicts: s.Verdicts}
		}
	}
	m.Notes = append(m.Notes, "a value that is not finite cannot be compared")
	return m
}

func finite(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

func sideOf(key Key, runs []Run) Side {
	var s Side
	for i := range runs {
		c := runs[i].claim(key)
		s.Runs = append(s.Runs, float64(c.Value))
		word := c.Verdict.String()
		if c.Verdict == verdict.Trusted {
			word += " (" + c.Level.String() + ")"
		}
		for _, w := range c.Why {
			if w.Verdict != verdict.Trusted {
				word += ": " + w.Text
				break
			}
		}
		if !slices.Contains(s.Verdicts, word) {
			s.Verdicts = append(s.Verdicts, word)
		}
		s.Text = c.Text
	}
	s.Value = mean(s.Runs)
	if len(runs) > 1 {
		s.Text = ""
		s.Spread = &Interval{slices.Min(s.Runs), slices.Max(s.Runs)}
	}
	return s
}

// testShares compares k of n with k of n.
func (m *Metric) testShares(g items) {
	m.Unit, m.Test = "items", "Fisher, exact"
	lo, hi := Newcombe(g.a, g.b)
	p := Fisher(g.a, g.b)
	m.Interval, m.P = &Interval{lo * g.scale, hi * g.scale}, &p
	m.Difference = (g.b.rate() - g.a.rate()) * g.scale
}

// describeShares adds what the design is worth.
func (m *Metric) describeShares(g items, alpha float64) {
	for _, s := range []struct {
		side  *Side
		share Share
	}{{&m.A, g.a}, {&m.B, g.b}} {
		lo, hi := Wilson(s.share)
		s.side.N, s.side.K, s.side.Interval = s.share.N, &s.share.K, &Interval{lo * g.scale, hi * g.scale}
	}
	if d, _, ok := detectableShare(g.a, g.b.N, alpha); ok {
		d *= g.scale
		m.Detectable = &d
	}
	m.Aim = max(abs(m.Difference), m.Within)
	m.More = moreItems(g.a, g.b, m.Aim/g.scale)
	m.Notes = append(m.Notes, "one run an arm: this is said of these two models, not of the recipes; runs with other seeds would show their spread")
}

// testRuns compares one value a run.
func (m *Metric) testRuns(alpha float64) {
	a, b := m.A.Runs, m.B.Runs
	m.Difference = m.B.Value - m.A.Value
	if len(a) < 2 || len(b) < 2 {
		m.Notes = append(m.Notes, "one value an arm and no count of items behind it: nothing shows how far chance alone would move it")
		return
	}
	m.Test = "Mann-Whitney, exact"
	p := MannWhitney(a, b)
	m.P = &p
	if lo, hi, ok := shiftInterval(a, b, alpha); ok {
		m.Interval = &Interval{lo, hi}
	}
}

// describeRuns adds what the design is worth.
func (m *Metric) describeRuns(alpha float64) {
	a, b := m.A.Runs, m.B.Runs
	m.Aim = max(abs(m.Difference), m.Within)
	m.More = moreRuns(a, b, m.Aim, alpha)
	if m.P == nil {
		return
	}
	lo, hi := Bootstrap(a, b)
	m.Bootstrap = &Interval{lo, hi}
	if d, ok := detectableShift(a, b, alpha); ok {
		m.Detectable = &d
	} else {
		m.Notes = append(m.Notes, fmt.Sprintf("%d and %d runs are too few for any difference to be significant: %d an arm are the fewest", len(a), len(b), fewestRuns(alpha)))
	}
}

// conclude gives the verdicts, once all probabilities are known.
func (r *Report) conclude() {
	var ps []float64
	for i := range r.Metrics {
		if p := r.Metrics[i].P; p != nil {
			ps = append(ps, *p)
		}
	}
	adjusted := Holm(ps)
	for i := range r.Metrics {
		m := &r.Metrics[i]
		if m.P != nil {
			m.Adjusted = &adjusted[0]
			adjusted = adjusted[1:]
		}
		m.conclude(alphaDefault)
	}
}

func (m *Metric) conclude(alpha float64) {
	switch {
	case m.Adjusted != nil && *m.Adjusted < alpha && m.Difference != 0:
		m.Verdict = Different
	case m.Interval != nil && m.holds(*m.Interval) && (m.Bootstrap == nil || m.holds(*m.Bootstrap)):
		m.Verdict = Same
	default:
		m.Verdict = CannotTell
		return
	}
	m.More, m.Aim = 0, 0
}

// holds reports whether an interval of the difference lies within what does
// not matter.
func (m *Metric) holds(i Interval) bool { return -m.Within <= i.Lo && i.Hi <= m.Within }

func abs(x float64) float64 { return max(x, -x) }
