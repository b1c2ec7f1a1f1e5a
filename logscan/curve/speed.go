package curve

import (
	"fmt"
	"math"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// stepTimeCliff: from one record on the steps take much longer, and go on so.
func stepTimeCliff(r *run, th Thresholds) ([]finding, string) {
	need := 2 * th.n("cliff.points")
	var times []*curve
	for _, c := range r.kind(evidence.KindStepTime) {
		if !r.isWait(c.Name) && c.Split != "val" && c.Split != "test" {
			times = append(times, c)
		}
	}
	if len(times) == 0 {
		times = r.speeds()
	}
	return each(times, need, "step time", func(c *curve) *finding {
		if c.Kind == evidence.KindStepTime && counts(c.values()) {
			return nil
		}
		at, was, is := cliff(seconds(c), th)
		if at < 0 {
			return nil
		}
		if c.Kind == evidence.KindSpeed {
			was, is = 1/was, 1/is
		}
		return &finding{code: "step-time-cliff", at: pos(c.pts[at]),
			text: fmt.Sprintf("%s goes from %s to %s (medians) at %s", c.label(), num(was), num(is), c.pts[at].where())}
	})
}

// counts: a time that grows with every record is the time since the start, under
// the name of a step time.
func counts(vs []float64) bool {
	for i := 1; i < len(vs); i++ {
		if vs[i] <= vs[i-1] {
			return false
		}
	}
	return true
}

// speeds stand in for step times where none is logged.
func (r *run) speeds() (out []*curve) {
	for _, c := range r.kind(evidence.KindSpeed) {
		if c.Split != "val" && c.Split != "test" && c.Window != evidence.WholeRun && !strings.HasPrefix(c.Name, "eval") && !strings.HasPrefix(c.Name, "test") {
			out = append(out, c)
		}
	}
	return out
}

func seconds(c *curve) []float64 {
	vs := c.values()
	if c.Kind != evidence.KindSpeed {
		return vs
	}
	for i, v := range vs {
		vs[i] = 1 / math.Max(v, math.SmallestNonzeroFloat32)
	}
	return vs
}

// cliff finds the place that parts fast from slow best; -1: there is none.
func cliff(vs []float64, th Thresholds) (at int, was, is float64) {
	side := max(1, th.n("cliff.points"), int(th.f("cliff.share")*float64(len(vs))))
	at, top := -1, th.f("cliff.ratio")
	for i := side; i <= len(vs)-side; i += max(1, len(vs)/200) {
		a, b := vs[:i], vs[i:]
		ma, mb := median(a), median(b)
		// The two sides must hardly overlap, and the step must be one: a slow
		// growth has no place where its neighbours differ.
		if ma <= 0 || mb/ma < top || quantile(b, 0.2) <= quantile(a, 0.8) {
			continue
		}
		n := th.n("cliff.points")
		if median(b[:min(n, len(b))]) < th.f("cliff.ratio")*median(a[max(0, len(a)-n):]) {
			continue
		}
		at, top, was, is = i, mb/ma, ma, mb
	}
	return at, was, is
}

func (r *run) isWait(name string) bool {
	for _, w := range r.waits {
		if base(name) == w[0] {
			return true
		}
	}
	return false
}

// dataWait: most of a step is spent on waiting for the next batch.
func dataWait(r *run, th Thresholds) ([]finding, string) {
	need, have := th.n("wait.points"), 0
	var out []finding
	for _, w := range r.all {
		for _, names := range r.waits {
			if base(w.Name) != names[0] || !training(w) && w.Role != evidence.Speed {
				continue
			}
			for _, whole := range r.all {
				if whole.track != w.track || base(whole.Name) != names[1] {
					continue
				}
				share, n := ratio(w, whole)
				have = max(have, n)
				if n >= need && share >= th.f("wait.share") {
					out = append(out, finding{code: "data-wait", metric: w.Name, weight: n, at: pos(w.pts[0], w.last()),
						text: fmt.Sprintf("%s is %.0f %% of %s (median of %d records)", w.label(), 100*share, whole.label(), n)})
				}
			}
		}
	}
	if have < need {
		return nil, tooFew("waiting time beside a step time", have, need)
	}
	return out, ""
}

// ratio is the median share of the one in the other over their common records.
func ratio(part, whole *curve) (share float64, n int) {
	byRow := map[int32]float64{}
	for _, p := range whole.pts {
		byRow[p.row] = p.v
	}
	var rs []float64
	for _, p := range part.pts {
		if t := byRow[p.row]; t > 0 {
			rs = append(rs, p.v/t)
		}
	}
	return median(rs), len(rs)
}
