package guards

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

type named float32

func TestAllFiniteAgainstPlainLoop(t *testing.T) {
	t.Parallel()
	finiteType[float32](t, math.MaxFloat32, math.SmallestNonzeroFloat32)
	finiteType[float64](t, math.MaxFloat64, math.SmallestNonzeroFloat64)
	finiteType[named](t, math.MaxFloat32, math.SmallestNonzeroFloat32)
}

func finiteType[T Float](t *testing.T, greatest, least float64) {
	t.Helper()
	inf := math.Inf(1)
	for length := range 70 {
		values := make([]T, length)
		for i := range values {
			values[i] = T(rand.NormFloat64())
		}
		if !AllFinite(values) {
			t.Fatalf("%T %v is finite", values, values)
		}
		for i := range values {
			old := values[i]
			for _, bad := range []float64{math.NaN(), inf, -inf} {
				values[i] = T(bad)
				if c := countNonFinite(values); AllFinite(values) || c.n != 1 || c.first != int64(i) {
					t.Fatalf("%T with %g at %d: %+v", values, bad, i, c)
				}
			}
			for _, good := range []float64{greatest, -greatest, least, 0, math.Copysign(0, -1)} {
				values[i] = T(good)
				if !AllFinite(values) {
					t.Fatalf("%T with %g at %d is finite", values, good, i)
				}
			}
			values[i] = old
		}
		for i := range values {
			values[i] = T(greatest) // whose sum overflows
		}
		if !AllFinite(values) {
			t.Fatalf("%d of the greatest %T are finite", length, T(0))
		}
		for i := range values {
			values[i] = T(inf * float64(1-2*(i%2))) // whose sum is NaN
		}
		if length > 0 && AllFinite(values) {
			t.Fatalf("infinities of both signs pass for finite")
		}
	}
}

// All 65,536 values of both formats, at each place of a word.
func TestAllFiniteBitsExhaustively(t *testing.T) {
	t.Parallel()
	for _, f := range []Format{BF16, FP16} {
		for place := range 11 {
			values := make([]uint16, 11)
			for b := range 1 << 16 {
				values[place] = uint16(b)
				want := !math.IsNaN(fromBits(uint16(b), f)) && !math.IsInf(fromBits(uint16(b), f), 0)
				if got := AllFiniteBits(values, f); got != want {
					t.Fatalf("format %d, %#04x at %d: finite %v", f, b, place, got)
				}
			}
		}
	}
}

// fromBits reads a 16-bit float the slow way.
func fromBits(b uint16, f Format) float64 {
	if f == BF16 {
		return float64(math.Float32frombits(uint32(b) << 16))
	}
	sign := 1 - 2*float64(b>>15)
	switch exponent, mantissa := int(b>>10&31), float64(b&1023); exponent {
	case 31:
		if mantissa == 0 {
			return math.Inf(int(sign))
		}
		return math.NaN()
	case 0:
		return sign * math.Ldexp(mantissa, -24)
	default:
		return sign * math.Ldexp(1024+mantissa, exponent-25)
	}
}

func TestFillAsFloats(t *testing.T) {
	t.Parallel()
	if v := float64(fillPattern[float32]()); math.Abs(v/2.3694278e-38-1) > 1e-6 {
		t.Errorf("0x01 bytes as float32 are %g", v)
	}
	if v := fromBits(fill16, FP16); math.Abs(v/1.5318394e-05-1) > 1e-6 {
		t.Errorf("as fp16 %g", v)
	}
	if v := fromBits(fill16, BF16); math.Abs(v/2.3693558e-38-1) > 1e-6 {
		t.Errorf("as bf16 %g", v)
	}
}

// A run of the pattern of any length at any place, among random values.
func TestFindFillAgainstPlainLoop(t *testing.T) {
	t.Parallel()
	for length := range 120 {
		for from := 0; from <= length; from += 3 {
			for n := 0; from+n <= length; n += 5 {
				values := make([]float32, length)
				for i := range values {
					values[i] = float32(rand.NormFloat64())
				}
				for i := from; i < from+n; i++ {
					values[i] = fillPattern[float32]()
				}
				want := n >= fillRun || (length < fillRun && length >= fillShort && n == length)
				start, got := findFill(values)
				if (got > 0) != want || (want && (start != int64(from) || got != int64(n))) {
					t.Fatalf("%d of %d from %d: found %d from %d", n, length, from, got, start)
				}
			}
		}
	}
}

func TestCheckFiniteByQuantity(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		quantity Quantity
		grade    string
	}{
		{Loss, "nonfinite-loss"}, {Gradient, "nonfinite-gradient"}, {Parameter, "nonfinite-parameter"}, {Buffer, "nonfinite-buffer"},
		{Input, "nonfinite-input"}, {Target, "nonfinite-target"}, {Output, "nonfinite-output"},
	} {
		run := New(Options{})
		w := run.WatchFinite(c.quantity)
		values := []float32{1, 2, float32(math.Inf(-1)), float32(math.NaN())}
		err := CheckFinite(w, "bn1.running_var", values)
		var f *Finding
		if !errors.As(err, &f) || f.Grade != c.grade || f.Name != "bn1.running_var" || errors.Is(err, ErrFault) || run.Err() != nil {
			t.Errorf("%v: %v", c.quantity, err)
		} else if !strings.Contains(f.Text, "2 of 4 values of the "+c.quantity.String()+" bn1.running_var are not finite, the first is -Inf at 2") {
			t.Errorf("%v: %s", c.quantity, f.Text)
		}
		if got := grade(CheckFiniteBits(w, "", []uint16{0x3f80, 0x7f81}, BF16)); got != c.grade {
			t.Errorf("%v as bf16: %q", c.quantity, got)
		}
		if got := grade(CheckFiniteBits(w, "", []uint16{0x7f81}, FP16)); got != c.grade {
			t.Errorf("%v as fp16: %q", c.quantity, got)
		}
		if got := grade(w.Value("", math.NaN())); got != c.grade {
			t.Errorf("%v as a value: %q", c.quantity, got)
		}
		if err := CheckFinite(w, "", []float64{1, math.MaxFloat64, math.MaxFloat64}); err != nil {
			t.Errorf("%v, the greatest: %v", c.quantity, err)
		}
		if w.count.calls.Load() != 5 || w.count.total(0) != 5 {
			t.Errorf("%v: %d calls, %d not finite", c.quantity, w.count.calls.Load(), w.count.total(0))
		}
	}
}

func TestCheckFiniteSeesBytesThatNoKernelWrote(t *testing.T) {
	t.Parallel()
	tile := func(n int) []float32 { return slices.Repeat([]float32{fillPattern[float32]()}, n) }
	w := New(Options{}).WatchFinite(Output)
	weights := make([]float32, 1000)
	copy(weights[300:], tile(40))
	err := CheckFinite(w, "logits", weights)
	if grade(err) != "fill-float" || !errors.Is(err, ErrFault) || !strings.Contains(err.Error(), "40 of 1000 values of the output logits, from 300 on") {
		t.Errorf("%v", err)
	}
	for name, err := range map[string]error{
		"small tensor": CheckFinite(w, "", tile(4)),
		"float64":      CheckFinite(w, "", slices.Repeat([]float64{fillPattern[float64]()}, 64)),
		"bf16":         CheckFiniteBits(w, "", slices.Repeat([]uint16{fill16}, 64), BF16),
		"fp16":         CheckFiniteBits(w, "", slices.Repeat([]uint16{fill16}, 64), FP16),
	} {
		if grade(err) != "fill-float" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Healthy values that look like trouble.
func TestFiniteTwins(t *testing.T) {
	t.Parallel()
	run, dir := recorded(t)
	gradient, parameter := run.WatchFinite(Gradient), run.WatchFinite(Parameter)
	r := rand.New(rand.NewPCG(1, 2))
	mean := slices.Repeat([]uint16{fill16, 0}, 500) // 1/65,280 in half precision, masked
	block := append(slices.Repeat([]uint16{fill16}, 500), make([]uint16, 500)...)
	small := make([]uint16, 1000)
	for i := range small {
		small[i] = uint16(r.IntN(600)) // subnormal half-precision gradients, 257 among them
	}
	denormal := slices.Repeat([]float32{math.SmallestNonzeroFloat32}, 100)
	few := []float32{1, fillPattern[float32](), fillPattern[float32](), 2}
	for name, err := range map[string]error{
		"mean over 65,280":      CheckFiniteBits(gradient, "", mean, FP16),
		"the same in one block": CheckFiniteBits(gradient, "", block, FP16),
		"small gradients":       CheckFiniteBits(gradient, "", small, FP16),
		"small parameters":      CheckFiniteBits(parameter, "", small, FP16),
		"denormals":             CheckFinite(parameter, "", denormal),
		"two tiny values":       CheckFinite(parameter, "", few),
		"zeros":                 CheckFinite(parameter, "", make([]float64, 100)),
		"nothing":               CheckFinite[float32](parameter, "", nil),
		"one":                   parameter.Value("", math.MaxFloat64),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if d := doubts(t, run, dir); len(d) > 0 {
		t.Error(d)
	}
}

func TestGradientsThatAreAppliedOrStay(t *testing.T) {
	t.Parallel()
	nan := []float32{float32(math.NaN())}
	step := func(w *FiniteWatch, values []float32, applied bool) string {
		_ = CheckFinite(w, "g", values)
		return grade(w.Stepped(applied))
	}
	w := New(Options{}).WatchFinite(Gradient)
	for range stayAfter - 1 { // a scaler that starts far too high
		if got := step(w, nan, false); got != "" {
			t.Fatalf("skipped: %q", got)
		}
	}
	if got := step(w, []float32{1}, true); got != "" {
		t.Errorf("clean: %q", got)
	}
	if got := step(w, nan, true); got != "nonfinite-gradient-stays" {
		t.Errorf("applied: %q", got)
	}
	for i := range stayAfter {
		if got := step(w, nan, false); (got != "") != (i >= stayAfter-2) { // the applied one counts
			t.Errorf("skipped %d: %q", i, got)
		}
	}
}

func TestSpikes(t *testing.T) {
	t.Parallel()
	run := New(Options{})
	w := run.WatchSpikes("")
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		if err := w.Norm(13 + 32*r.Float64()); err != nil {
			t.Fatal(err)
		}
	}
	err := w.Norm(58463)
	if grade(err) != "gradient-spike" || !errors.Is(err, ErrQuality) || !strings.Contains(err.Error(), "58463 among norms of 13") {
		t.Error(err)
	}
	if err := w.Norm(44); err != nil || run.Err() != nil {
		t.Errorf("%v, run %v", err, run.Err())
	}
}

func TestSpikeTwins(t *testing.T) {
	t.Parallel()
	for name, norm := range map[string]func(i int) float64{
		"decay":         func(i int) float64 { return 1e4 * math.Exp(-float64(i)/20) },
		"warm-up":       func(i int) float64 { return 1e-3 * math.Exp(float64(i)/20) },
		"hard batches":  func(i int) float64 { return 1 + 15*float64(i%37/36) },
		"zero at first": func(i int) float64 { return float64(i / 50) },
		"overflows":     func(i int) float64 { return []float64{1, math.Inf(1), math.NaN()}[i%3] },
		"huge at first": func(i int) float64 { return 1e9 / float64(i*i*i+1) },
		"clipped":       func(int) float64 { return 1 },
	} {
		w := New(Options{}).WatchSpikes("")
		for i := range 300 {
			if err := w.Norm(norm(i)); err != nil {
				t.Errorf("%s: %v", name, err)
				break
			}
		}
	}
	w := New(Options{}).WatchSpikes("") // a new regime is reported, and then believed
	var seen []string
	for i := range 200 {
		if err := w.Norm(1 + 99*float64(i/100)); err != nil {
			seen = append(seen, fmt.Sprint(i))
		}
	}
	if got := strings.Join(seen, " "); got != "100 101 102 103 104 105 106" {
		t.Error(got)
	}
}

// "the loss loss is NaN" would be read as a metric of that name.
func TestFiniteNamesTheQuantityOnce(t *testing.T) {
	t.Parallel()
	r := New(Options{})
	for name, want := range map[string]string{"": "the loss is NaN", "loss": "the loss is NaN", "aux": "the loss aux is NaN"} {
		err := r.WatchFinite(Loss).Value(name, math.NaN())
		if err == nil || !strings.HasSuffix(err.Error(), ": "+want) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
