package value_test

import (
	"math"
	"testing"

	"github.com/trainvet/trainvet/logscan/metric/value"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{
		"0.5": 0.5, " 12 ": 12, "-1.5e-3": -0.0015, "84.3%": 84.3, ".5": 0.5, "5.": 5, "1e999": math.Inf(1),
		"inf": math.Inf(1), "-Infinity": math.Inf(-1), "+Inf": math.Inf(1), "72340172838076673": 72340172838076673,
	} {
		if got, ok := value.Parse(text); !ok || got != want {
			t.Errorf("%q: %v %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"nan", "NaN", "-nan"} {
		if got, ok := value.Parse(text); !ok || !math.IsNaN(got) {
			t.Errorf("%q: %v %v, want NaN", text, got, ok)
		}
	}
	for _, text := range []string{"", "-", ".", "0x1p4", "1_000", "1,5", "nano", "infer", "e5", "1e", "1 2", "None", "%"} {
		if got, ok := value.Parse(text); ok {
			t.Errorf("%q is no number, got %v", text, got)
		}
	}
}

func TestDigits(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"0.4127": 4, "84.310": 5, "-1.5e-3": 2, "0.0": 1, "0.000": 3, "0": 1, "nan": 0, "100": 3, "4.250112533569336": 16, "0.05": 1,
	} {
		if got := value.Digits(text); got != want {
			t.Errorf("%q: %d digits, want %d", text, got, want)
		}
	}
}
