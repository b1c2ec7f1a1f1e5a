package guards

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestLossScalerBacksOffAndGrows(t *testing.T) {
	t.Parallel()
	s, err := New(Options{}).NewLossScaler(ScalerConfig{Start: 1024, Interval: 3, Floor: 256, Ceiling: 2048})
	if err != nil {
		t.Fatal(err)
	}
	o := s.Optimizer("adam")
	for i, c := range []struct {
		overflow bool
		after    float64
	}{{true, 512}, {true, 256}, {true, 256}, {false, 256}, {false, 256}, {false, 512}, {false, 512}, {true, 256},
		{false, 256}, {false, 256}, {false, 512}, {false, 512}, {false, 512}, {false, 1024}, {false, 1024}, {false, 1024}, {false, 2048},
		{false, 2048}, {false, 2048}, {false, 2048}} {
		if apply, _ := o.Step(c.overflow); apply == c.overflow {
			t.Fatalf("step %d: apply %v", i, apply)
		}
		s.Update()
		s.Update() // a second one without a step does nothing
		if s.Scale() != c.after {
			t.Fatalf("step %d: scale %g, want %g", i, s.Scale(), c.after)
		}
	}
	if got, want := o.Counts(), (ScalerCounts{Attempted: 20, Applied: 16, Skipped: 4, Unmoved: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// One optimizer overflows: the other applies, the scale falls once for both.
func TestLossScalerTellsItsOptimizersApart(t *testing.T) {
	t.Parallel()
	run := New(Options{})
	s, _ := run.NewLossScaler(ScalerConfig{})
	g, d := s.Optimizer("generator"), s.Optimizer("discriminator")
	for step := 1; step <= 10; step++ {
		overflow := step == 3 || step == 9
		if apply, err := g.Step(false); !apply || err != nil {
			t.Fatalf("generator at %d: %v %v", step, apply, err)
		}
		if apply, err := d.Step(overflow); apply == overflow || err != nil {
			t.Fatalf("discriminator at %d: %v %v", step, apply, err)
		}
		s.Update()
	}
	if s.Scale() != defaultStart/4 || g.Counts().Skipped != 0 || d.Counts() != (ScalerCounts{10, 8, 2, 0}) || s.Optimizer("generator") != g {
		t.Errorf("scale %g, generator %+v, discriminator %+v", s.Scale(), g.Counts(), d.Counts())
	}
	if run.Steps("discriminator").Skipped() != 2 {
		t.Error("the step ledger does not know the skips")
	}
}

func TestLossScalerGoesOnFromACheckpoint(t *testing.T) {
	t.Parallel()
	config := ScalerConfig{Start: 65536, Interval: 5, Hysteresis: 2}
	flags := []bool{true, true, false, true, false, false, false, false, false, true, false, true, false, false, false, false, false, false}
	whole, _ := New(Options{}).NewLossScaler(config)
	for cut := range flags {
		one, _ := New(Options{}).NewLossScaler(config)
		run(one, flags[:cut])
		saved, err := json.Marshal(one.State())
		if err != nil {
			t.Fatal(err)
		}
		var st ScalerState
		if err := json.Unmarshal(saved, &st); err != nil {
			t.Fatal(err)
		}
		two, _ := New(Options{}).NewLossScaler(config)
		if err := two.Restore(st); err != nil {
			t.Fatal(err)
		}
		run(two, flags[cut:])
		whole, _ = New(Options{}).NewLossScaler(config)
		run(whole, flags)
		a, b := whole.State(), two.State()
		got, want := b.Optimizers[""], a.Optimizers[""]
		got.Unmoved, want.Unmoved = 0, 0 // nobody looks at the scale across the cut
		if got != want || a.Scale != b.Scale || a.Good != b.Good || a.Hysteresis != b.Hysteresis {
			t.Errorf("cut at %d: %+v, want %+v", cut, b, a)
		}
	}
	for _, bad := range []ScalerState{{}, {Scale: math.NaN()}, {Scale: math.Inf(1)}, {Scale: 1, Good: -1}} {
		if err := whole.Restore(bad); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
}

func run(s *LossScaler, flags []bool) {
	for _, overflow := range flags {
		_, _ = s.Optimizer("").Step(overflow)
		s.Update()
	}
}

func TestLossScalerRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []ScalerConfig{{Start: -1}, {Start: math.NaN()}, {Growth: 0.5}, {Backoff: 1}, {Interval: -1}, {Hysteresis: -1}, {Floor: 2, Start: 1}, {Ceiling: 2}, {Ceiling: 0x1p130}} {
		if _, err := New(Options{}).NewLossScaler(c); err == nil {
			t.Errorf("%+v was taken", c)
		}
	}
}

func TestUnscale(t *testing.T) {
	t.Parallel()
	s, _ := New(Options{}).NewLossScaler(ScalerConfig{Start: 1024})
	g := []float32{1024, -512, 0}
	if Unscale(s, g) || g[0] != 1 || g[1] != -0.5 {
		t.Error(g)
	}
	low, _ := New(Options{}).NewLossScaler(ScalerConfig{Start: 0x1p-20}) // below 1 the division makes values greater
	for _, g := range [][]float32{{1, 1e38}, {1, -1e38}} {
		if !Unscale(low, g) || g[0] != 1 {
			t.Error(g)
		}
	}
	if g := []float32{1e32, -1}; Unscale(low, g) || g[0] != 1e32*0x1p20 || g[1] != -0x1p20 {
		t.Error(g)
	}
	bad := []float32{1024, float32(math.Inf(1))}
	if !Unscale(s, bad) || bad[0] != 1024 {
		t.Error(bad)
	}
}

// Divided by the scale, bytes of 0x01 are a number like any other.
func TestUnscaleSeesWhatNoKernelWrote(t *testing.T) {
	t.Parallel()
	r := New(Options{})
	s, _ := r.NewLossScaler(ScalerConfig{Start: 1024})
	a, b := s.Optimizer("a"), s.Optimizer("b")
	overflow := Unscale(s, slices.Repeat([]float32{fillPattern[float32]()}, 100))
	for _, o := range []*ScaledOptimizer{a, b} {
		if _, err := o.Step(overflow); grade(err) != "fill-float" || !errors.Is(err, ErrFault) {
			t.Errorf("%s: %v", o.name, err)
		}
	}
	if err := r.Err(); grade(err) != "fill-float" {
		t.Errorf("the run holds %v", err)
	}
	s.Update()
	if _, err := a.Step(Unscale(s, []float32{1, fillPattern[float32](), 0, 0})); err != nil {
		t.Errorf("the step behind it: %v", err)
	}

	r.SetPolicy(Record)
	Unscale(s, slices.Repeat([]float64{fillPattern[float64]()}, 16))
	if _, err := a.Step(false); err != nil {
		t.Errorf("under the policy to record: %v", err)
	}
}

// O24: hysteresis 2, so that the first overflow leaves the scale alone. Five
// skips, of which two do not move it.
func TestO24StepLedger(t *testing.T) {
	t.Parallel()
	s, _ := New(Options{}).NewLossScaler(ScalerConfig{Start: 65536, Hysteresis: 2, Interval: 4})
	o := s.Optimizer("adam")
	byScale, before := 0, s.Scale()
	for _, overflow := range []bool{true, true, true, false, false, false, false, true, true, false, false} {
		_, _ = o.Step(overflow)
		s.Update()
		if s.Scale() < before {
			byScale++
		}
		before = s.Scale()
	}
	if got := o.Counts(); got != (ScalerCounts{Attempted: 11, Applied: 6, Skipped: 5, Unmoved: 2}) || byScale != 3 {
		t.Errorf("%+v; by the scale %d", got, byScale)
	}
}

// Its twin: the scale grows and is halved by plan, and no step is skipped.
func TestO24TwinPlannedScale(t *testing.T) {
	t.Parallel()
	run, dir := recorded(t)
	o := run.WatchScaler(1).Optimizer("adam")
	for i := range 40 {
		if err := o.Step(false, []float64{1024, 2048, 512, 1}[i/10]); err != nil {
			t.Fatal(err)
		}
	}
	if got := o.Counts(); got != (ScalerCounts{Attempted: 40, Applied: 40}) {
		t.Errorf("%+v", got)
	}
	if d := doubts(t, run, dir); len(d) > 0 {
		t.Error(d)
	}
}

func TestScalesThatAreBroken(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		floor    float64
		scales   []float64
		overflow []bool
		want     string
	}{
		{"down to zero", 0, []float64{2, 1, 0, 0, 0}, []bool{true, true, true, true, false}, "  scale-zero  "},
		{"zero and applied", 0, []float64{0}, []bool{false}, "scale-zero"},
		{"not finite", 0, []float64{1, math.Inf(1), math.NaN(), 1}, []bool{false, false, true, false}, " scale-nonfinite  "},
		{"at the floor", 1, []float64{2, 1, 1, 1, 1, 1}, []bool{true, true, true, false, false, true}, " scale-floor    scale-floor"},
		{"small, and works", 1, []float64{1, 1, 1}, []bool{false, false, false}, "  "},
		{"below one", 0, []float64{0.5, 0.25}, []bool{true, false}, " "},
	} {
		o := New(Options{}).WatchScaler(c.floor).Optimizer("adam")
		var got []string
		for i := range c.scales {
			got = append(got, grade(o.Step(c.overflow[i], c.scales[i])))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %q, want %q", c.name, s, c.want)
		}
	}
}

// The search of a scaler that starts at 4,194,304 is counted and no error.
func TestSkipsAreNoErrors(t *testing.T) {
	t.Parallel()
	run, dir := recorded(t)
	s, _ := run.NewLossScaler(ScalerConfig{Start: 4194304})
	o := s.Optimizer("adam")
	for step := 1; step <= 16; step++ {
		if _, err := o.Step(step <= 7 || step == 11); err != nil {
			t.Fatal(err)
		}
		s.Update()
	}
	if got := o.Counts(); got.Attempted != 16 || got.Applied != 8 || got.Unmoved != 0 {
		t.Errorf("%+v", got)
	}
	if d := doubts(t, run, dir); len(d) > 0 {
		t.Error(d)
	}
}

func TestAdvice(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		steps int64
		scale float64
		says  string
	}{{0, 65536, "not known"}, {16, 1024, "6 of the 16 steps (37.5 %)"}, {3, 1024, "3 of the 3"}, {1999, 1024, "0.3 %"}, {2000, 65536, "at most 6 of 2000"}} {
		if a := AdviseStart(c.steps); a.Scale != c.scale || !strings.Contains(a.Reason, c.says) {
			t.Errorf("%d: %+v", c.steps, a)
		}
	}
}
