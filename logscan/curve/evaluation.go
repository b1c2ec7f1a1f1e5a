package curve

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// costs gives the values turned so that less is better.
func costs(c *curve) []float64 {
	vs := c.values()
	if moreIsBetter(c.Kind) {
		for i := range vs {
			vs[i] = -vs[i]
		}
	}
	return vs
}

func argmin(vs []float64) int {
	best := 0
	for i, v := range vs {
		if v < vs[best] {
			best = i
		}
	}
	return best
}

// overfit: the evaluation loss rises from its best on while the training loss
// goes on falling, and no score says that the model still gets better.
func overfit(r *run, th Thresholds) ([]finding, string) {
	if len(r.loss) == 0 {
		return nil, r.noLoss()
	}
	return r.eachEval(r.evalLosses(), th.n("overfit.evaluations"), "evaluation loss", func(c *curve) *finding {
		vs := c.values()
		best := argmin(vs)
		after := vs[best:]
		if len(after) < 4 || rising(after) < 0.7 {
			return nil
		}
		end := median(after[len(after)-3:])
		margin := math.Max(th.f("overfit.noise")*noise(vs),
			th.f("overfit.worse")*math.Max(math.Abs(vs[best]), head(vs, 0)-vs[best]))
		if end-vs[best] <= margin || r.scoreHolds(c, best) {
			return nil
		}
		train, was, is := r.trainFall(c, best, th)
		if train == nil {
			return nil
		}
		return &finding{code: "overfit", at: pos(c.pts[best], c.last()),
			text: fmt.Sprintf("%s rose from %s (%s) to %s (%s) while %s fell from %s to %s", c.label(),
				num(vs[best]), c.pts[best].where(), num(c.last().v), c.last().where(), train.label(), num(was), num(is))}
	})
}

func (r *run) evalLosses() (out []*curve) {
	for _, e := range r.evals {
		if e.Kind == evidence.KindLoss {
			out = append(out, e)
		}
	}
	return out
}

// scoreHolds reports whether a score beside the loss is no worse at the end
// than at the loss's best: a growing loss of a model that grows more certain
// and not more wrong.
func (r *run) scoreHolds(loss *curve, best int) bool {
	for _, e := range r.evals {
		if e.source != loss.source || e.Kind == evidence.KindLoss || len(e.pts) != len(loss.pts) {
			continue
		}
		vs := costs(e)
		if median(vs[len(vs)-3:])-vs[best] <= math.Max(0.005*scale(e.values()), noise(vs)/2) {
			return true
		}
	}
	return false
}

// trainFall finds a training loss that fell since the evaluation's best.
func (r *run) trainFall(e *curve, best int, th Thresholds) (c *curve, was, is float64) {
	for _, c := range r.loss {
		vs := c.values()
		i := position(c, e, best)
		if len(vs) < 6 || i >= len(vs)-2 {
			continue
		}
		was = median(vs[max(0, i-2):min(len(vs), i+3)])
		is = tail(vs, 0.1)
		if was-is > th.f("overfit.train-fall")*math.Max(math.Abs(was), math.Abs(vs[0]-was)) {
			return c, was, is
		}
	}
	return nil, 0, 0
}

// position is the index in c of the time of e's point i: by the place in the
// source they share, else by epoch, else by the share of the run.
func position(c, e *curve, i int) int {
	p := e.pts[i]
	for j, q := range c.pts {
		switch {
		case c.source == e.source && (c.track == e.track || p.at.Offset > 0):
			if q.at.Offset >= p.at.Offset {
				return j
			}
		case !math.IsNaN(q.epoch) && !math.IsNaN(p.epoch):
			if q.epoch >= p.epoch {
				return j
			}
		default:
			return (i + 1) * len(c.pts) / len(e.pts)
		}
	}
	return len(c.pts) - 1
}

// finalWorse: the last checkpoint is clearly worse than the best one.
func finalWorse(r *run, th Thresholds) ([]finding, string) {
	return r.eachEval(r.evals, th.n("final.evaluations"), "evaluation", func(c *curve) *finding {
		vs := costs(c)
		best, n := argmin(vs), len(vs)
		start, end := vs[0], vs[n-1]
		gained, lost := start-vs[best], end-vs[best]
		s := fewValues(noise(vs), n)
		least := math.Max(leastDifference(c, th), sampling(c, best))
		lasting := math.Max(math.Max(th.f("final.noise")*s, th.f("final.share")*gained), least)
		collapse := math.Max(math.Max(2*th.f("final.noise")*s, th.f("final.collapse")*gained), 2*least)
		if !(lost > lasting && vs[n-2]-vs[best] > lasting/2 && n-1-best >= 2) && !(lost > collapse && gained > 0) {
			return nil
		}
		if c.Kind == evidence.KindLoss && n >= 3 && r.scoreHolds(c, best) {
			return nil
		}
		return &finding{code: "final-worse", at: pos(c.pts[best], c.last()),
			text: fmt.Sprintf("%s ended at %s (%s), its best was %s (%s)", c.label(),
				printed(c.last()), c.last().where(), printed(c.pts[best]), c.pts[best].where())}
	})
}

// leastDifference is what counts as worse at all: a share of the best value,
// and of what was gained where that value is near 0.
func leastDifference(c *curve, th Thresholds) float64 {
	vs := costs(c)
	best := vs[argmin(vs)]
	share := th.f("final.worse")
	if c.Kind == evidence.KindLoss || moreIsBetter(c.Kind) && math.Abs(best) <= 100 {
		return share * math.Max(math.Abs(best), math.Abs(vs[0]-best))
	}
	full := scale(c.values())
	return math.Max(share*math.Max(math.Abs(best), math.Abs(vs[0]-best)), 0.01*full)
}

// sampling is two and a half standard errors of a difference of two scores
// over n samples. Where n is not said, it is at least the smallest n of which
// all values are whole parts; 0 for what is no share.
func sampling(c *curve, i int) float64 {
	n, full := c.pts[i].samples, scale(c.values())
	p := c.pts[i].v / full
	if p < 0 || p > 1 {
		return 0
	}
	if n <= 0 {
		n = grain(c, full)
	}
	if n <= 0 {
		return 0
	}
	return 2.5 * full * math.Sqrt(2*p*(1-p)/n)
}

// grain is the smallest n, up to 1,000, of which all printed values are k of n.
func grain(c *curve, full float64) float64 {
	for n := 2.0; n <= 1000; n++ {
		if !slices.ContainsFunc(c.pts, func(p point) bool {
			k := math.Round(p.v / full * n)
			return math.Abs(k/n*full-p.v) > 0.5*resolution(p)
		}) {
			return n
		}
	}
	return 0
}

// resolution is what the last printed digit is worth.
func resolution(p point) float64 {
	_, frac, _ := strings.Cut(p.text, ".")
	if p.text == "" || strings.ContainsAny(p.text, "eE") {
		return 1e-12
	}
	return math.Pow(10, -float64(len(strings.TrimRight(frac, "%'\""))))
}

// fewValues widens a noise that was estimated from few evaluations.
func fewValues(sigma float64, n int) float64 { return sigma * (1 + 3/float64(max(n-2, 1))) }

// oscillating: the evaluation swings to and fro, far against its level.
func oscillating(r *run, th Thresholds) ([]finding, string) {
	return r.eachEval(r.evals, th.n("oscillation.evaluations"), "evaluation", func(c *curve) *finding {
		vs := c.values()
		d := steps(vs)
		turns := 0
		for i := 1; i < len(d); i++ {
			if d[i]*d[i-1] < 0 {
				turns++
			}
		}
		by := swing(vs)
		lo, hi := minmax(vs)
		if float64(turns) < th.f("oscillation.turns")*float64(len(d)-1) ||
			by < th.f("oscillation.range")*(hi-lo) || by < r.leastSwing(c, th) {
			return nil
		}
		return &finding{code: "oscillating", at: pos(c.pts[0], c.last()),
			text: fmt.Sprintf("%s turns %d times in %d evaluations, by %s in the middle, between %s and %s",
				c.label(), turns, len(vs), num(by), num(lo), num(hi))}
	})
}

// leastSwing is the smallest swing worth a word.
func (r *run) leastSwing(c *curve, th Thresholds) float64 {
	vs := c.values()
	level := th.f("oscillation.amplitude") * math.Abs(median(vs))
	if c.Kind == evidence.KindLoss { // near 0 the start of the training is the measure
		for _, l := range r.loss {
			level = math.Max(level, th.f("oscillation.amplitude")*math.Abs(head(l.values(), 0)))
		}
		return math.Max(level, th.f("flat.level"))
	}
	return math.Max(math.Max(level, th.f("oscillation.scale")*scale(vs)), sampling(c, len(vs)-1))
}
