package curve

import (
	"fmt"
	"math"

	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// Compare adds what only a known-good run of the same task can show. Shuffled
// labels, for one, reduce their own loss nicely.
func Compare(ev, baseline *evidence.Evidence, th Thresholds) (found, skipped []verdict.Note) {
	th = th.orDefaults()
	a, b := gather(ev, th), gather(baseline, th)
	var all []finding
	var not []skip
	fs, why := compareLoss(a, b, th)
	all = append(all, fs...)
	if why != "" {
		not = append(not, skip{"baseline-floor", why}, skip{"baseline-improvement", why})
	}
	fs, why = compareNorm(a, b, th)
	all = append(all, fs...)
	if why != "" {
		not = append(not, skip{"baseline-gradient", why})
	}
	return notes(withoutDoubles(all)), skipNotes(not)
}

func compareLoss(a, b *run, th Thresholds) ([]finding, string) {
	if len(a.loss) == 0 {
		return nil, a.noLoss()
	}
	if len(b.loss) == 0 {
		return nil, "baseline: " + b.noLoss()
	}
	x, y := pair(a.loss, b.loss)
	if x == nil {
		return nil, "the two runs log no training loss of the same name"
	}
	vs, ws := x.values(), y.values()
	vs, ws, ok := sameLength(x, y, vs, ws, th)
	if !ok || len(vs) < th.n("compare.points") || len(ws) < th.n("compare.points") {
		return nil, "the run or its common stretch with the baseline is too short"
	}
	floor, base := floorOf(vs), floorOf(ws)
	gain, good := head(vs, 0.05)-tail(vs, 0.1), head(ws, 0.05)-tail(ws, 0.1)
	if good <= 4*noise(ws)/math.Sqrt(float64(part(ws, 0.1))) {
		return nil, "the baseline's own loss does not improve beyond its noise"
	}
	var out []finding
	add := func(code, text string) {
		out = append(out, finding{code: code, metric: x.Name, text: text, at: pos(x.pts[0], x.last()), weight: len(vs)})
	}
	if floor-base > math.Max(th.f("compare.floor")*good, 4*noise(ws)) {
		add("baseline-floor", fmt.Sprintf("%s comes down to %s, the baseline's to %s", x.label(), num(floor), num(base)))
	}
	if gain < th.f("compare.improvement")*good && floor > base {
		add("baseline-improvement", fmt.Sprintf("%s improves by %s (%s to %s), the baseline's by %s (%s to %s)", x.label(),
			num(gain), num(head(vs, 0.05)), num(tail(vs, 0.1)), num(good), num(head(ws, 0.05)), num(tail(ws, 0.1))))
	}
	return out, ""
}

func floorOf(vs []float64) float64 {
	lo, _ := minmax(smooth(vs, 20))
	return math.Min(lo, tail(vs, 0.1))
}

// pair finds the longest curves of one name.
func pair(as, bs []*curve) (a, b *curve) {
	for _, x := range as {
		for _, y := range bs {
			if base(x.Name) == base(y.Name) && (a == nil || len(x.pts)+len(y.pts) > len(a.pts)+len(b.pts)) {
				a, b = x, y
			}
		}
	}
	return a, b
}

// sameLength cuts both to the stretch of training that both have. Runs without
// a counter are compared whole if they are about as long.
func sameLength(x, y *curve, vs, ws []float64, th Thresholds) (a, b []float64, ok bool) {
	end := math.Min(x.last().x, y.last().x)
	if math.IsNaN(end) {
		r := float64(len(vs)) / float64(len(ws))
		limit := th.f("compare.length")
		return vs, ws, r <= limit && r >= 1/limit
	}
	return vs[:until(x, end)], ws[:until(y, end)], true
}

func until(c *curve, x float64) int {
	n := 0
	for _, p := range c.pts {
		if p.x <= x {
			n++
		}
	}
	return n
}

func compareNorm(a, b *run, th Thresholds) ([]finding, string) {
	x, y := pair(a.kind(evidence.KindNorm), b.kind(evidence.KindNorm))
	if x == nil {
		return nil, "no gradient norm in both runs"
	}
	if n := min(len(x.pts), len(y.pts)); n < th.n("compare.points") {
		return nil, tooFew("gradient norm", n, th.n("compare.points"))
	}
	m, good := median(x.values()), median(y.values())
	if good <= 0 || m <= good*th.f("compare.norm") && m >= good/th.f("compare.norm") {
		return nil, ""
	}
	return []finding{{code: "baseline-gradient", metric: x.Name, weight: len(x.pts), at: pos(x.pts[0], x.last()),
		text: fmt.Sprintf("%s is %s in the middle, the baseline's %s", x.label(), num(m), num(good))}}, ""
}
