package curve

import (
	"fmt"
	"math"
)

// diverged: the loss gave back what it had gained, or rose above its start, and
// stays there. A jump from which it falls again (new data stage, restart of the
// schedule) is none.
func diverged(r *run, th Thresholds) ([]finding, string) {
	return r.eachLoss(th.n("trend.points"), func(c *curve) *finding {
		vs := c.values()
		s := noise(vs)
		blocks := smooth(vs, 20)
		best, _ := minmax(blocks)
		start, end := math.Max(blocks[0], head(vs, 0.05)), tail(vs, 0.1)
		gained, lost := math.Max(start-best, 0), end-best
		if lost <= th.f("diverged.noise")*s || lost <= 0 {
			return nil
		}
		margin := math.Max(th.f("diverged.noise")*s, th.f("dead.improvement")*math.Abs(start))
		gaveBack := gained > margin && lost >= th.f("diverged.lost")*gained
		exploded := end-start > math.Max(margin, th.f("diverged.explosion")*math.Max(math.Abs(start), gained))
		if !gaveBack && !exploded {
			return nil
		}
		high := highStretch(vs, (best+end)/2)
		if len(high) < max(3, int(th.f("diverged.sustained")*float64(len(vs)))) || recovering(high, lost, exploded, th) {
			return nil
		}
		from := c.pts[len(vs)-len(high)]
		return &finding{code: "diverged", at: pos(from, c.last()),
			text: fmt.Sprintf("%s started at %s, was down to %s, ended at %s; high from %s on",
				c.label(), num(start), num(best), num(end), from.where())}
	})
}

// highStretch is the end of vs from where its running median stays above level.
func highStretch(vs []float64, level float64) []float64 {
	i := len(vs)
	for i > 0 && median(vs[max(0, i-5):i]) > level {
		i--
	}
	return vs[i:]
}

// recovering reports whether a high stretch comes down again. After an
// explosion only its second half counts: it falls from its peak first.
func recovering(high []float64, lost float64, exploded bool, th Thresholds) bool {
	if exploded {
		high = high[len(high)/2:]
	}
	blocks := smooth(high, 4)
	if len(blocks) == 0 {
		return false
	}
	_, peak := minmax(blocks)
	doubt := 3 * math.Hypot(medianError(noise(high), len(high)/len(blocks)), medianError(noise(high), part(high, 0.25)))
	return peak-tail(high, 0.25) > math.Max(th.f("diverged.falling")*lost, doubt)
}

// dead: the loss did not improve, and a second witness says that this is not a
// good start. Without a witness the question stays open and is named.
func dead(r *run, th Thresholds) ([]finding, string) {
	open := ""
	out, why := r.eachLoss(th.n("dead.points"), func(c *curve) *finding {
		vs := c.values()
		start, end := head(vs, 0.05), tail(vs, 0.1)
		if improved(vs, start, end, th) || end-start > 2*th.f("dead.improvement")*math.Abs(start) {
			return nil
		}
		text := fmt.Sprintf("%s went from %s to %s over %d values", c.label(), num(start), num(end), len(vs))
		w := r.witness(c, th)
		if w == "" {
			open = text + ": fine-tuning from a good start looks the same (say --classes, or give a --baseline)"
			return nil
		}
		return &finding{code: "dead", text: text + "; " + w, at: pos(c.pts[0], c.last())}
	})
	if why == "" {
		why = open
	}
	return out, why
}

// improved asks for a fall that is both worth a word and beyond the noise: of
// the level, of the first values against the end (a steep start that is over
// after a few records), or down to somewhere in between.
func improved(vs []float64, start, end float64, th Thresholds) bool {
	s := noise(vs)
	small := th.f("dead.improvement") * math.Abs(start)
	early, late := head(vs, 0.15), tail(vs, 0.25)
	blocks := smooth(vs, 10)
	best, _ := minmax(blocks)
	level := small + math.Hypot(medianError(s, part(vs, 0.15)), medianError(s, part(vs, 0.25)))
	steep := 2*small + 1.5*medianError(s, part(vs, 0.05))
	between := 2*small + 4*medianError(s, len(vs)/len(blocks))
	return early-late > level || start-end > steep || early-best > between || vs[0]-end > 3*small+4*s
}

// medianError is the standard error of the median of n values.
func medianError(sigma float64, n int) float64 { return 1.25 * sigma / math.Sqrt(float64(n)) }

// witness says, beside a loss that does not move, why the model is bad.
func (r *run) witness(c *curve, th Thresholds) string {
	if _, ok := r.atChance(c, th); ok {
		return "that is the loss of guessing"
	}
	for _, other := range []func(*run, Thresholds) ([]finding, string){gradientZero, rateZero} {
		if fs, _ := other(r, th); len(fs) > 0 {
			return fs[0].text
		}
	}
	for _, e := range append(r.evals[:len(r.evals):len(r.evals)], r.scores...) {
		if r.poor(e, th) && (passes(c) >= th.f("dead.epochs") || len(e.pts) > th.n("dead.epochs")) {
			return fmt.Sprintf("%s stays poor as well (%s at first, %s at last)", e.label(), num(e.pts[0].v), num(e.last().v))
		}
	}
	return ""
}

// passes is how many epochs a curve spans.
func passes(c *curve) float64 {
	if n := c.last().epoch - c.pts[0].epoch; n > 0 {
		return n
	}
	return 0
}

// poor reports whether a score is a share, low, and not getting better.
func (r *run) poor(e *curve, th Thresholds) bool {
	if len(e.pts) < 3 {
		return false
	}
	vs := e.values()
	full := scale(vs)
	switch {
	case moreIsBetter(e.Kind) && r.has("share", e.Name):
	case r.has("rate", e.Name) && lessIsBetter(e.Kind):
		for i := range vs {
			vs[i] = full - vs[i]
		}
	default:
		return false
	}
	_, best := minmax(vs)
	gain := tail(vs, 0.2) - math.Min(vs[0], head(vs, 0.2))
	return best < th.f("dead.score")*full && gain < math.Max(0.05*full, 3*noise(vs))
}

// scale is the full scale of a score: a fraction or percent.
func scale(vs []float64) float64 {
	if _, hi := minmax(vs); hi > 1.5 {
		return 100
	}
	return 1
}

// flat: all batches cost the same, which real data never does.
func flat(r *run, th Thresholds) ([]finding, string) {
	return r.eachLoss(th.n("flat.points"), func(c *curve) *finding {
		lo, hi, fine := c.pts[0].lo, c.pts[0].hi, 0
		for _, p := range c.pts {
			lo, hi, fine = math.Min(lo, p.lo), math.Max(hi, p.hi), max(fine, digits(p))
		}
		if fine < th.n("constant.digits") { // rounding would hide what moves
			return nil
		}
		level := math.Abs(median(c.values()))
		if level < th.f("flat.level") || hi-lo > th.f("flat.range")*level {
			return nil
		}
		return &finding{code: "flat", at: pos(c.pts[0], c.last()),
			text: fmt.Sprintf("%s stays between %s and %s over %d values", c.label(), exact(lo), exact(hi), len(c.pts))}
	})
}

// exact keeps the digits that num would round away.
func exact(v float64) string { return fmt.Sprintf("%.7g", v) }

// chance: the loss ends where guessing among k classes lies, ln(k).
func chance(r *run, th Thresholds) ([]finding, string) {
	if r.classes < 2 {
		return nil, "number of classes or vocabulary size not known"
	}
	if r.objective != "" {
		return nil, r.objective
	}
	cs := append([]*curve(nil), r.loss...)
	for _, e := range r.evals {
		if lessIsBetter(e.Kind) && r.main(e.Name) >= 0 {
			cs = append(cs, e)
		}
	}
	return each(cs, th.n("chance.points"), "loss", func(c *curve) *finding {
		end, ok := r.atChance(c, th)
		if !ok || training(c) && len(c.pts) < th.n("trend.points") {
			return nil
		}
		return &finding{code: "chance", at: pos(c.last()),
			text: fmt.Sprintf("%s ends at %s, guessing among %s classes costs ln(%s) = %s",
				c.label(), num(end), num(r.classes), num(r.classes), num(math.Log(r.classes)))}
	})
}

func (r *run) atChance(c *curve, th Thresholds) (end float64, ok bool) {
	if r.classes < 2 || len(c.pts) < th.n("chance.points") {
		return 0, false
	}
	guess := math.Log(r.classes)
	end = tail(c.values(), 0.25)
	return end, end > guess*(1-th.f("chance.margin")) && end < guess*(1+th.f("chance.above"))
}
