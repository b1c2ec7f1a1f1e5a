package evidence

import (
	"math"
	"strconv"
	"strings"
)

// Agree compares two printed values at the coarser printed precision. A
// fraction and the same value in percent agree.
func Agree(a, b *Cell) bool {
	x, y := float64(a.Last), float64(b.Last)
	if math.IsNaN(x) || math.IsNaN(y) {
		return math.IsNaN(x) && math.IsNaN(y)
	}
	unit := max(lastPlace(a.Text, x), lastPlace(b.Text, y))
	near := func(x, y, unit float64) bool { return math.Abs(x-y) <= unit*1.01 }
	return near(x, y, unit) || near(100*x, y, unit*100) || near(x, 100*y, unit*100)
}

// lastPlace is the value of the last printed digit.
func lastPlace(text string, value float64) float64 {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(strings.TrimSuffix(text, "%")), "e")
	exp, _ := strconv.Atoi(exponent)
	_, decimals, found := strings.Cut(mantissa, ".")
	if text == "" {
		return math.Abs(value) * 1e-6
	}
	if !found {
		return math.Pow10(exp)
	}
	return math.Max(math.Pow10(exp-len(decimals)), math.Abs(value)*1e-7) // float32 on one side
}
