package curve

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// rateZero: the learning rate is 0 all the time, or has been for the last part
// of the run. A record counts as 0 only if every rate in it is: groups of
// frozen parameters stand at 0 on purpose.
func rateZero(r *run, th Thresholds) ([]finding, string) {
	rates := r.kind(evidence.KindRate)
	if len(rates) == 0 {
		return nil, "no learning rate"
	}
	return each(rates, th.n("rate.points"), "learning rate", func(c *curve) *finding {
		i := len(c.pts)
		for i > 0 && zero(c.pts[i-1]) && !r.otherRate(c, c.pts[i-1].row) {
			i--
		}
		zeros := len(c.pts) - i
		switch {
		case i == 0:
			return &finding{code: "rate-zero", at: pos(c.pts[0], c.last()),
				text: fmt.Sprintf("%s is 0 in all of %d values", c.label(), zeros)}
		case zeros > 0 && zeros >= th.n("rate.tail-points") && float64(zeros) >= th.f("rate.tail")*float64(len(c.pts)):
			return &finding{code: "rate-zero", at: pos(c.pts[i], c.last()),
				text: fmt.Sprintf("%s is 0 from %s on: the last %d of %d values", c.label(), c.pts[i].where(), zeros, len(c.pts))}
		}
		return nil
	})
}

// otherRate reports whether another rate of the same record is not 0.
func (r *run) otherRate(c *curve, row int32) bool {
	for _, o := range r.all {
		if o.Kind != evidence.KindRate || o.track != c.track || o.Name == c.Name {
			continue
		}
		i, ok := slices.BinarySearchFunc(o.pts, row, func(p point, row int32) int { return cmp.Compare(p.row, row) })
		if ok && o.pts[i].hi != 0 {
			return true
		}
	}
	return false
}

// gradientZero: nothing flows back. Where all rewards of a group are equal a
// policy gradient is 0 by design, so reinforcement learning is left alone.
func gradientZero(r *run, th Thresholds) ([]finding, string) {
	if r.objective != "" {
		return nil, r.objective
	}
	return each(r.kind(evidence.KindNorm), th.n("gradient.points"), "gradient norm", func(c *curve) *finding {
		zeros := 0
		for _, p := range c.pts {
			if zero(p) {
				zeros++
			}
		}
		if float64(zeros) < th.f("gradient.zero-share")*float64(len(c.pts)) {
			return nil
		}
		return &finding{code: "gradient-zero", at: pos(c.pts[0], c.last()),
			text: fmt.Sprintf("%s is 0 in %d of %d values", c.label(), zeros, len(c.pts))}
	})
}

// gradientSpike: a norm that stands out from the values before it and behind
// it, by the logarithm. The first values of a run are its transient.
func gradientSpike(r *run, th Thresholds) ([]finding, string) {
	return each(r.kind(evidence.KindNorm), th.n("spike.points"), "gradient norm", func(c *curve) *finding {
		w := th.n("spike.window")
		count, worst, lo, hi := 0, -1, 0.0, 0.0
		for i := 5; i < len(c.pts); i++ {
			before, behind := c.pts[max(0, i-w):i], c.pts[i+1:min(len(c.pts), i+1+w)]
			if !standsOut(c.pts[i].hi, before, th) || len(behind) >= 5 && !standsOut(c.pts[i].hi, behind, th) {
				continue
			}
			count++
			if worst < 0 || c.pts[i].hi > c.pts[worst].hi {
				worst = i
				lo, hi = minmax(norms(append(before[:len(before):len(before)], behind...)))
			}
		}
		if count == 0 {
			return nil
		}
		p := c.pts[worst]
		text := fmt.Sprintf("%s %s at %s among %s to %s", c.label(), num(p.hi), p.where(), num(lo), num(hi))
		if count > 1 {
			text += fmt.Sprintf("; %d such values", count)
		}
		return &finding{code: "gradient-spike", at: pos(p), text: text}
	})
}

func standsOut(v float64, around []point, th Thresholds) bool {
	ratio := th.f("spike.ratio")
	if !mostlyBelow(around, v/ratio) { // of a thousand norms one gets past: no logarithms, no sorting
		return false
	}
	vs := norms(around)
	if len(vs) < 5 || v <= 0 {
		return false
	}
	logs := make([]float64, len(vs))
	for i, x := range vs {
		logs[i] = math.Log(x)
	}
	m := median(logs)
	const least = 0.15 // neighbours that hardly vary would make anything an outlier
	return math.Log(v)-m > math.Max(math.Log(ratio), th.f("spike.deviations")*math.Max(spread(logs), least))
}

// mostlyBelow: so must half of the norms be for their median to be.
func mostlyBelow(ps []point, limit float64) bool {
	below, all := 0, 0
	for _, p := range ps {
		if p.v > 0 {
			all++
			if p.v < limit {
				below++
			}
		}
	}
	return 2*below >= all
}

// norms are the values above 0: 0 has no logarithm, and is a check of its own.
func norms(ps []point) (out []float64) {
	for _, p := range ps {
		if p.v > 0 {
			out = append(out, p.v)
		}
	}
	return out
}
