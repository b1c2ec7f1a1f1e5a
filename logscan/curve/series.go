package curve

import (
	"math"
)

// evaluations makes one value of each evaluation, and one curve of each set
// that is evaluated.
func evaluations(c *curve) []*curve {
	c.pts = lastOfEach(c.pts)
	p := period(c.values())
	if p == 1 {
		return []*curve{c}
	}
	out := make([]*curve, p)
	for i := range out {
		part := *c
		part.pts = nil
		for j := i; j < len(c.pts); j += p {
			part.pts = append(part.pts, c.pts[j])
		}
		out[i] = &part
	}
	return out
}

// lastOfEach keeps the last of neighbouring values with the same counter:
// evaluations print as they go on, and the last line holds the result.
func lastOfEach(pts []point) []point {
	var out []point
	for _, p := range pts {
		if n := len(out); n > 0 && out[n-1].x == p.x {
			out[n-1] = p
			continue
		}
		out = append(out, p)
	}
	return out
}

// period finds several sets that are evaluated in turn under one name (a model
// and its average, two validation sets): each by itself is far smoother than
// all of them in a row. No real oscillation is that regular.
func period(vs []float64) int {
	whole := swing(vs)
	for p := 2; p <= 4 && len(vs) >= 3*p; p++ {
		worst := 0.0
		for i := range p {
			var part []float64
			for j := i; j < len(vs); j += p {
				part = append(part, vs[j])
			}
			worst = math.Max(worst, swing(part))
		}
		if worst < 0.3*whole {
			return p
		}
	}
	return 1
}

// swing is the median difference of neighbours.
func swing(vs []float64) float64 {
	d := steps(vs)
	for i := range d {
		d[i] = math.Abs(d[i])
	}
	return median(d)
}
