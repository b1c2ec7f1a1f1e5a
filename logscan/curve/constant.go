package curve

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// constant: the same digits each time.
func constant(r *run, th Thresholds) ([]finding, string) {
	look := func(need int) func(*curve) *finding {
		return func(c *curve) *finding {
			if len(c.pts) < need || !same(c) || solved(c) || digits(c.last()) < th.n("constant.digits") && c.last().v != 0 {
				return nil
			}
			return &finding{code: "constant", at: pos(c.pts[0], c.last()),
				text: fmt.Sprintf("%s is %s in all of %d values", c.label(), printed(c.last()), len(c.pts))}
		}
	}
	out, why := r.eachLoss(th.n("constant.points"), look(th.n("constant.points")))
	for _, e := range r.evals {
		need := th.n("constant.scores")
		if e.Kind == evidence.KindLoss {
			need = th.n("constant.evaluations")
		}
		if len(e.pts) < need {
			continue
		}
		why = ""
		if f := look(need)(e); f != nil {
			f.metric, f.weight = e.Name, len(e.pts)
			out = append(out, *f)
		}
	}
	return out, why
}

func same(c *curve) bool {
	for _, p := range c.pts {
		if p.lo != c.pts[0].v || p.hi != c.pts[0].v {
			return false
		}
	}
	return true
}

// solved reports a value that a finished task keeps: a full score, no error. A
// training loss of exactly 0 from the first record on is not one of them.
func solved(c *curve) bool {
	switch v := c.last().v; {
	case moreIsBetter(c.Kind):
		return v == 1 || v == 100
	case c.Kind == evidence.KindError:
		return v == 0
	case c.Role == evidence.Eval:
		return math.Abs(v) < 1e-3
	default:
		return v != 0 && math.Abs(v) < 1e-3
	}
}

func printed(p point) string {
	if p.text != "" {
		return p.text
	}
	return exact(p.v)
}

// digits counts the significant digits that were printed.
func digits(p point) int {
	text := p.text
	if text == "" {
		text = strconv.FormatFloat(p.v, 'g', -1, 64)
	}
	mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
	mantissa = strings.TrimLeft(strings.Trim(mantissa, "'\"%+-"), "0.")
	return len(strings.ReplaceAll(mantissa, ".", ""))
}

// zero reports a value that is exactly 0 as printed. "0.00000" may be rounded.
func zero(p point) bool {
	if p.lo != 0 || p.hi != 0 {
		return false
	}
	text := strings.ToLower(strings.Trim(p.text, "'\"%+-"))
	_, frac, has := strings.Cut(text, ".")
	return !has || len(frac) <= 1 || strings.Contains(frac, "e")
}

func pos(ps ...point) (out []evidence.Pos) {
	for _, p := range ps {
		out = append(out, *p.at)
	}
	return out
}
