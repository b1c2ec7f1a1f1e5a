package bench

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// Thresholds of the judgement, each with its reason in the configuration.
type Thresholds struct {
	Control  float64 // the control's arms may differ by this share before it confounds
	DataWait float64 // a larger share of a step spent waiting for data is data-bound
	Use      float64 // below this utilisation of the device a run is data-bound
}

// Word is what is said of an arm, or of the whole.
type Word string

// The words.
const (
	Faster     Word = "FASTER"
	Slower     Word = "SLOWER"
	Alike      Word = "ALIKE" // its interval lies within the control's own allowance
	CannotTell Word = "CANNOT TELL"
	Confounded Word = "CONFOUNDED"
)

// Ratio is how many times as fast something is, with the interval of its
// median.
type Ratio struct {
	Median float64 `json:"median"`
	Lo     float64 `json:"lo"`
	Hi     float64 `json:"hi"`
}

// beside says where 1 lies.
func (r Ratio) beside(allowed float64) Word {
	switch {
	case r.Lo > 1 && r.Median > 1+allowed:
		return Faster
	case r.Hi < 1 && r.Median < 1/(1+allowed):
		return Slower
	case r.Lo > 1/(1+allowed) && r.Hi < 1+allowed:
		return Alike
	}
	return CannotTell
}

// Report is what a bench says.
type Report struct {
	Version  int       `json:"version"`
	Word     Word      `json:"word"` // CONFOUNDED, or empty
	Why      string    `json:"why,omitempty"`
	Device   string    `json:"device,omitempty"`
	Rounds   int       `json:"rounds"`
	Warmup   int       `json:"warm_up"` // rounds dropped
	Arms     []Outcome `json:"arms"`    // the first is what the others are held against
	Notes    []string  `json:"notes,omitempty"`
	Cached   string    `json:"cached,omitempty"` // when it was measured, if not now
	Decision string    `json:"decision"`
	Key      string    `json:"key,omitempty"` // fingerprint that the result is kept under
}

// Of reports whether the report is of just these arms.
func (r *Report) Of(arms []Arm) bool {
	return slices.EqualFunc(r.Arms, arms, func(o Outcome, a Arm) bool { return o.Arm == a.String() })
}

// Outcome is one arm.
type Outcome struct {
	Arm      string   `json:"arm"`
	Word     Word     `json:"word,omitempty"`
	Whole    *Ratio   `json:"whole,omitempty"` // speed of the whole run, times the first arm's
	Step     *Ratio   `json:"step,omitempty"`  // speed of a step, times the first arm's
	Control  *Ratio   `json:"control,omitempty"`
	Seconds  float64  `json:"seconds"` // median of the whole run
	Examples float64  `json:"examples,omitempty"`
	Split    *Split   `json:"split,omitempty"`
	Phases   *Phases  `json:"phases,omitempty"`
	Bound    string   `json:"data_bound,omitempty"` // why it waits for data; empty: it does not
	Samples  []Sample `json:"samples"`
}

// judge compares the samples of each arm with those of the first, round by
// round.
func judge(opt Options, samples [][]Sample) *Report {
	r := &Report{Version: 1, Device: opt.Device, Rounds: opt.Rounds, Warmup: 1}
	confidence := 1 - alpha/float64(max(1, len(opt.Arms)-1))
	for i, arm := range opt.Arms {
		o := Outcome{Arm: arm.String(), Samples: samples[i], Seconds: median(samples[i], func(s Sample) float64 { return s.Seconds })}
		o.Examples = median(samples[i], func(s Sample) float64 { return s.Examples })
		o.Split, o.Phases = splitOf(samples[i]), phasesOf(samples[i])
		o.Bound = opt.Judge.bound(o.Split, samples[i])
		if i > 0 {
			o.Whole = ratio(samples[0], samples[i], confidence, func(s Sample) float64 { return s.Seconds })
			o.Step = ratio(samples[0], samples[i], confidence, func(s Sample) float64 { return s.Step })
			o.Control = ratio(samples[0], samples[i], confidence, func(s Sample) float64 { return s.Control })
			o.Word = CannotTell
			if o.Whole != nil {
				o.Word = o.Whole.beside(opt.Judge.Control)
			}
		}
		r.Arms = append(r.Arms, o)
	}
	r.confounded(opt.Judge)
	r.remarks(samples)
	r.decide()
	return r
}

// ratio pairs the rounds: how many times as fast b is as a. nil: one of them
// does not tell.
func ratio(a, b []Sample, confidence float64, of func(Sample) float64) *Ratio {
	var ratios []float64
	for i := range min(len(a), len(b)) {
		x, y := of(a[i]), of(b[i])
		if x <= 0 || y <= 0 {
			return nil
		}
		ratios = append(ratios, x/y)
	}
	if len(ratios) == 0 {
		return nil
	}
	t := benchmath.DefaultThresholds
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(ratios, &t), confidence)
	return &Ratio{s.Center, s.Lo, s.Hi}
}

// confounded: the control is faster in one arm's turns than in another's.
func (r *Report) confounded(t Thresholds) {
	for i := range r.Arms {
		c := r.Arms[i].Control
		if c == nil {
			continue
		}
		if w := c.beside(t.Control); w == Faster || w == Slower {
			r.Word = Confounded
			r.Why = fmt.Sprintf("the control, which cannot respond to the setting, ran at %.3g times its speed in the turns of %s (interval [%.3g, %.3g]): what differed is the machine",
				c.Median, r.Arms[i].Arm, c.Lo, c.Hi)
			return
		}
	}
}

// remarks says what was around the runs that may have mattered.
func (r *Report) remarks(samples [][]Sample) {
	others, throttled, battery := 0, "", false
	same := map[string]bool{}
	for _, arm := range samples {
		for _, s := range arm {
			others = max(others, s.Around.Others)
			if s.Around.Throttle != "" {
				throttled = s.Around.Throttle
			}
			battery = battery || s.Around.Power == "battery"
			if s.Same != "" {
				same[s.Same] = true
			}
		}
	}
	if others > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("up to %d processes of others were on the device", others))
	}
	if throttled != "" {
		r.Notes = append(r.Notes, "the device was throttled: "+throttled)
	}
	if battery {
		r.Notes = append(r.Notes, "on battery: speeds are not those on mains")
	}
	if len(same) > 1 {
		r.Notes = append(r.Notes, fmt.Sprintf("the control's loss took %d values and should take one: the device does not repeat itself to the bit", len(same)))
	}
}

// decide writes the sentence that the result comes down to.
func (r *Report) decide() {
	if r.Word == Confounded {
		r.Decision = "no decision: run again on a quiet machine"
		return
	}
	best := 0
	for i := range r.Arms {
		if r.Arms[i].Word == Faster && (best == 0 || r.Arms[i].Whole.Median > r.Arms[best].Whole.Median) {
			best = i
		}
	}
	first := r.Arms[0].Arm
	if best == 0 {
		r.Decision = fmt.Sprintf("stay with %s: nothing was shown to be faster end to end", first)
		return
	}
	w := r.Arms[best].Whole
	r.Decision = fmt.Sprintf("use %s: a whole run is %.3g times as fast as with %s (interval [%.3g, %.3g])", r.Arms[best].Arm, w.Median, first, w.Lo, w.Hi)
}

// bound says why a run waits for data.
func (t Thresholds) bound(split *Split, samples []Sample) string {
	if split == nil {
		return ""
	}
	if split.Wait > t.DataWait {
		return fmt.Sprintf("%.0f %% of a step is spent waiting for data: more loader workers, data decoded once and kept, larger files read in order", 100*split.Wait)
	}
	use := median(samples, func(s Sample) float64 { return percent(s.Around.Use) })
	if use > 0 && use < 100*t.Use && split.Wait+split.ToDevice+split.Rest > t.DataWait {
		return fmt.Sprintf("the device is used at %.0f %%: larger batches, pinned memory with copies that do not wait, fewer reads of values back from the device", use)
	}
	return ""
}

func percent(text string) float64 {
	var v float64
	if _, err := fmt.Sscan(text, &v); err != nil {
		return 0
	}
	return v
}

func median(samples []Sample, of func(Sample) float64) float64 {
	var values []float64
	for _, s := range samples {
		values = append(values, of(s))
	}
	return middle(values)
}

func middle(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	values = slices.Sorted(slices.Values(values))
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

// splitOf takes the median of each part; nil: a sample tells none.
func splitOf(samples []Sample) *Split {
	var out Split
	for _, f := range []struct {
		to *float64
		of func(*Split) float64
	}{
		{&out.Wait, func(s *Split) float64 { return s.Wait }}, {&out.ToDevice, func(s *Split) float64 { return s.ToDevice }},
		{&out.Compute, func(s *Split) float64 { return s.Compute }}, {&out.Optimizer, func(s *Split) float64 { return s.Optimizer }},
		{&out.Rest, func(s *Split) float64 { return s.Rest }},
	} {
		var values []float64
		for _, s := range samples {
			if s.Split == nil {
				return nil
			}
			values = append(values, f.of(s.Split))
		}
		*f.to = middle(values)
	}
	return &out
}

func phasesOf(samples []Sample) *Phases {
	var out Phases
	for _, f := range []struct {
		to *float64
		of func(*Phases) float64
	}{
		{&out.Start, func(p *Phases) float64 { return p.Start }}, {&out.Training, func(p *Phases) float64 { return p.Training }},
		{&out.Eval, func(p *Phases) float64 { return p.Eval }}, {&out.Saving, func(p *Phases) float64 { return p.Saving }},
	} {
		var values []float64
		for _, s := range samples {
			if s.Phases == nil {
				return nil
			}
			values = append(values, f.of(s.Phases))
		}
		*f.to = middle(values)
	}
	return &out
}
