package compare

import (
	"math"
	"strconv"
	"strings"
)

// Printed is a value as a log shows it.
type Printed struct {
	Value float64
	Text  string
}

// float32Error is how far a value that was computed in float32 may lie from
// the share that it stands for, relative to its size.
const float32Error = 1.2e-7

// slack is how far the true value may lie from the one printed.
func (p Printed) slack() float64 {
	half := 0.0
	if d, ok := decimals(p.Text); ok {
		half = 0.51 * math.Pow(10, -float64(d))
	}
	return max(half, float32Error*max(math.Abs(p.Value), 1e-3))
}

// decimals counts the digits behind the point of a number as printed.
func decimals(text string) (int, bool) {
	text = strings.TrimSuffix(strings.TrimSpace(text), "%")
	digits, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if _, err := strconv.ParseFloat(digits, 64); err != nil {
		return 0, false
	}
	_, behind, _ := strings.Cut(digits, ".")
	n := len(behind)
	if e, err := strconv.Atoi(exponent); err == nil {
		n -= e
	}
	return n, true
}

// shareOf returns k where the value is k of n to its printed precision, on a
// scale of 1 or 100.
func shareOf(p Printed, n int, scale float64) (k int, ok bool) {
	v, slack := p.Value/scale, p.slack()/scale
	k = int(math.Round(v * float64(n)))
	return k, n > 0 && k >= 0 && k <= n && math.Abs(v-float64(k)/float64(n)) <= slack
}

// chance is how likely a value that has nothing to do with n looks like k of n.
func chance(p Printed, n int, scale float64) float64 {
	return min(1, 2*float64(n)*p.slack()/scale)
}

// Recovery of n from the values.
const (
	mostItems     = 100_000
	chanceAllowed = 0.01 // that the values fit some n up to the one found by accident
)

// RecoverN finds the smallest n of which every value is a whole number of nths,
// on a scale of 1 or 100. The true n is it or a multiple of it, so that what is
// computed with it claims too little rather than too much. ok is false where
// the values are printed too coarsely to tell.
func RecoverN(values []Printed, scale float64) (n int, ok bool) {
	values = distinct(values, scale)
	if len(values) == 0 {
		return 0, false
	}
	luck := 0.0
	for n = 2; n <= mostItems; n++ {
		by := 1.0
		fits := true
		for _, v := range values {
			by *= chance(v, n, scale)
			if _, k := shareOf(v, n, scale); !k {
				fits = false
			}
		}
		if luck += by; luck > chanceAllowed {
			return 0, false
		}
		if fits {
			return n, true
		}
	}
	return 0, false
}

// distinct drops repetitions, and 0 and 1, which are shares of every n.
func distinct(values []Printed, scale float64) []Printed {
	var out []Printed
	seen := map[float64]bool{}
	for _, v := range values {
		if x := v.Value / scale; x > 0 && x < 1 && !seen[x] {
			seen[x] = true
			out = append(out, v)
		}
	}
	return out
}

// scaleOf is 100 where the values can only be percent.
func scaleOf(values []Printed) float64 {
	for _, v := range values {
		if v.Value > 1 {
			return 100
		}
	}
	return 1
}
