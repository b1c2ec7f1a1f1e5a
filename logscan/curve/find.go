package curve

import (
	"cmp"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/verdict"
)

//go:embed checks.tsv
var checksTSV string

// check looks for one kind of trouble. It gives what it found, or why it could
// not look; "" when it looked at something.
type check struct {
	code string
	run  func(*run, Thresholds) ([]finding, string)
}

// finding is a note before it has its standing text.
type finding struct {
	code   string
	metric string
	text   string
	at     []evidence.Pos
	weight int // values behind it: of equal findings the best founded is shown
}

func checks() []check {
	return []check{
		{"diverged", diverged}, {"dead", dead}, {"flat", flat}, {"constant", constant}, {"chance", chance},
		{"rate-zero", rateZero}, {"gradient-zero", gradientZero}, {"gradient-spike", gradientSpike},
		{"overfit", overfit}, {"final-worse", finalWorse}, {"oscillating", oscillating},
		{"step-time-cliff", stepTimeCliff}, {"data-wait", dataWait},
	}
}

// Find gives the quality findings of a run, and the checks that could not run.
func Find(ev *evidence.Evidence, th Thresholds) (found, skipped []verdict.Note) {
	th = th.orDefaults()
	r := gather(ev, th)
	var all []finding
	var not []skip
	for _, c := range checks() {
		fs, why := c.run(r, th)
		all = append(all, fs...)
		if why != "" {
			not = append(not, skip{c.code, why})
		}
	}
	all = withoutDoubles(all)
	return notes(all), append(skipNotes(not), sampledNotes(r)...)
}

// withoutDoubles keeps one finding of a kind per metric, since ranks and file
// formats repeat each other, and drops what a stronger finding says already.
func withoutDoubles(all []finding) []finding {
	slices.SortStableFunc(all, func(a, b finding) int { return -cmp.Compare(a.weight, b.weight) })
	var out []finding
	for _, f := range all {
		i := slices.IndexFunc(out, func(o finding) bool { return o.code == f.code && o.metric == f.metric })
		if i < 0 {
			out = append(out, f)
		}
	}
	has := func(code, metric string) bool {
		return slices.ContainsFunc(out, func(o finding) bool { return o.code == code && o.metric == metric })
	}
	out = slices.DeleteFunc(out, func(f finding) bool {
		switch f.code {
		case "final-worse":
			return has("overfit", f.metric) || has("oscillating", f.metric)
		case "flat":
			return has("constant", f.metric)
		}
		return false
	})
	order := map[string]int{}
	for i, row := range table(checksTSV, 3) {
		order[row[0]] = i
	}
	slices.SortStableFunc(out, func(a, b finding) int {
		return cmp.Or(cmp.Compare(order[a.code], order[b.code]), cmp.Compare(a.metric, b.metric))
	})
	return out
}

func notes(fs []finding) (out []verdict.Note) {
	rows := map[string][]string{}
	for _, row := range table(checksTSV, 3) {
		rows[row[0]] = row
	}
	for _, f := range fs {
		n := verdict.Note{Code: f.code, Text: rows[f.code][1] + ": " + f.text, Do: rows[f.code][2]}
		for _, at := range f.at {
			n.Refs = append(n.Refs, verdict.Ref{At: at})
		}
		out = append(out, n)
	}
	return out
}

// skip is a check that could not run.
type skip struct{ code, why string }

// skipNotes joins the checks that share a reason: "titles: reason".
func skipNotes(not []skip) (out []verdict.Note) {
	titles := map[string]string{}
	for _, row := range table(checksTSV, 3) {
		titles[row[0]] = row[1]
	}
	var reasons []string
	byWhy := map[string][]string{}
	for _, s := range not {
		if byWhy[s.why] == nil {
			reasons = append(reasons, s.why)
		}
		byWhy[s.why] = append(byWhy[s.why], titles[s.code])
	}
	for _, why := range reasons {
		out = append(out, verdict.Note{Code: "curve-not-checked",
			Text: strings.Join(byWhy[why], ", ") + ": " + why})
	}
	return out
}

func sampledNotes(r *run) []verdict.Note {
	for _, c := range r.all {
		if c.sampled {
			return []verdict.Note{{Code: "curve-sampled", Do: "--all reads every value",
				Text: "curves: training values were read in samples; a spike between two of them is not seen"}}
		}
	}
	return nil
}

// where names the place of a point for people.
func (p point) where() string {
	switch {
	case math.IsNaN(p.x):
		return "line " + num(float64(p.at.Line))
	case p.x == p.epoch:
		return "epoch " + num(p.x)
	}
	return "step " + num(p.x)
}

func num(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e12 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.4g", v)
}

// tooFew is the common reason of checks without enough values.
func tooFew(what string, have, need int) string {
	if have == 0 {
		return "no " + what
	}
	if have == 1 {
		return fmt.Sprintf("%s: 1 value, %d needed", what, need)
	}
	return fmt.Sprintf("%s: %d values, %d needed", what, have, need)
}

func longest(cs []*curve) (n int) {
	for _, c := range cs {
		n = max(n, len(c.pts))
	}
	return n
}

// noLoss says why there is no training loss to look at.
func (r *run) noLoss() string {
	switch {
	case r.objective != "":
		return r.objective
	case r.parts:
		return "several training losses, and none is named as their total"
	}
	return "no training loss"
}

// each runs a check over the curves that are long enough.
func each(cs []*curve, need int, what string, look func(*curve) *finding) ([]finding, string) {
	var out []finding
	ran := false
	need = max(need, 4) // medians and second differences need that much, whatever the configuration says
	for _, c := range cs {
		if len(c.pts) < need {
			continue
		}
		ran = true
		if f := look(c); f != nil {
			f.metric, f.weight = c.Name, len(c.pts)
			out = append(out, *f)
		}
	}
	if !ran {
		return nil, tooFew(what, longest(cs), need)
	}
	return out, ""
}

// eachEval is each over the evaluations.
func (r *run) eachEval(cs []*curve, need int, what string, look func(*curve) *finding) ([]finding, string) {
	if len(cs) == 0 && r.merged {
		return nil, "so many " + what + "s that they were merged"
	}
	return each(cs, need, what, look)
}

// eachLoss is each over the training losses.
func (r *run) eachLoss(need int, look func(*curve) *finding) ([]finding, string) {
	if len(r.loss) == 0 {
		return nil, r.noLoss()
	}
	return each(r.loss, need, "training loss", look)
}

func (r *run) kind(k evidence.Kind) (out []*curve) {
	for _, c := range r.all {
		if c.Kind == k && c.Role != evidence.Item && len(c.pts) > 0 {
			out = append(out, c)
		}
	}
	return out
}
