package guards

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
)

// ScalerConfig sets up a [LossScaler]. Zero fields take the value named.
type ScalerConfig struct {
	Start      float64 // 65,536; see AdviseStart for short runs
	Growth     float64 // 2: the scale grows by it after Interval updates without an overflow
	Backoff    float64 // 0.5: it falls by it at an overflow
	Interval   int     // 2,000
	Hysteresis int     // 1: so many overflows lower the scale, the earlier ones only skip
	Floor      float64 // 2^-24: the scale falls no further
	Ceiling    float64 // 2^40: the scale grows no further
}

// withDefaults fills in what is not said.
func (c ScalerConfig) withDefaults() ScalerConfig {
	or := func(v *float64, d float64) {
		if *v == 0 {
			*v = d
		}
	}
	or(&c.Growth, 2)
	or(&c.Backoff, 0.5)
	or(&c.Floor, 0x1p-24)
	or(&c.Ceiling, 0x1p40)
	or(&c.Start, defaultStart)
	if c.Interval == 0 {
		c.Interval = growthInterval
	}
	if c.Hysteresis == 0 {
		c.Hysteresis = 1
	}
	return c
}

// Complete returns the configuration with all fields filled in, or says what is
// wrong with it. It is for scalers that run elsewhere, as in a graph.
func (c ScalerConfig) Complete() (ScalerConfig, error) {
	c = c.withDefaults()
	return c, c.check()
}

// maxScale is the greatest scale whose inverse every float type holds in full.
const maxScale = 0x1p126

func (c ScalerConfig) check() error {
	for name, v := range map[string]float64{"start": c.Start, "growth": c.Growth, "backoff": c.Backoff, "floor": c.Floor, "ceiling": c.Ceiling} {
		if !finiteValue(v) || v <= 0 {
			return fmt.Errorf("setting up a loss scaler: the %s is %g; it must be a finite number above 0", name, v)
		}
	}
	switch {
	case c.Growth < 1:
		return fmt.Errorf("setting up a loss scaler: the growth is %g, which is below 1", c.Growth)
	case c.Backoff >= 1:
		return fmt.Errorf("setting up a loss scaler: the backoff is %g, which is not below 1", c.Backoff)
	case c.Interval < 1 || c.Hysteresis < 1:
		return fmt.Errorf("setting up a loss scaler: interval %d and hysteresis %d must be above 0", c.Interval, c.Hysteresis)
	case c.Ceiling > maxScale:
		return fmt.Errorf("setting up a loss scaler: the ceiling is %g; a float32 divided by more than %g is 0", c.Ceiling, float64(maxScale))
	case c.Floor > c.Start || c.Start > c.Ceiling:
		return fmt.Errorf("setting up a loss scaler: the start %g is not between the floor %g and the ceiling %g", c.Start, c.Floor, c.Ceiling)
	}
	return nil
}

// LossScaler is a dynamic loss scaler for trainers that have none. In each
// step: multiply the loss by Scale, divide the gradients by it with [Unscale],
// ask each optimizer whether to apply its update, and call Update.
//
//	overflow := guards.Unscale(scaler, gradient)
//	if apply, err := adam.Step(overflow); apply { … }
//	scaler.Update()
//
// Skips are counted for each optimizer; an overflow of one does not skip the
// others, but lowers the scale that they share. Its methods may be called from
// any goroutine.
type LossScaler struct {
	config ScalerConfig
	watch  *ScalerWatch

	mu         sync.Mutex
	scale      float64
	good       int   // updates without an overflow, since the scale last changed
	hysteresis int   // overflows that are left before the scale falls
	stepped    bool  // since the last update
	overflow   bool  // since the last update
	fault      error // of the gradients, since the last update
	optimizers []*ScaledOptimizer
}

// NewLossScaler makes a scaler that reports to the run of the process.
func NewLossScaler(c ScalerConfig) (*LossScaler, error) { return Default().NewLossScaler(c) }

// NewLossScaler is the function of that name for this run.
func (r *Run) NewLossScaler(c ScalerConfig) (*LossScaler, error) {
	c, err := c.Complete()
	if err != nil {
		return nil, err
	}
	return &LossScaler{config: c, watch: r.WatchScaler(c.Floor), scale: c.Start, hysteresis: c.Hysteresis}, nil
}

// Scale is what the loss is to be multiplied by.
func (s *LossScaler) Scale() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.scale
}

// Unscale divides gradients by the scale, in place, and tells whether they
// overflowed. Where they did they are left as they are: the step is to be
// skipped. It also looks for memory that no kernel wrote, which the division
// would hide; the steps up to the next Update return that fault.
func Unscale[T Float](s *LossScaler, gradient []T) (overflow bool) {
	if start, n := findFill(gradient); n > 0 {
		s.filled(start, n, int64(len(gradient)))
	}
	if !AllFinite(gradient) {
		return true
	}
	inverse := T(1 / s.Scale())
	if inverse > 1 && !finiteTimes(gradient, inverse) {
		return true
	}
	for i := range gradient {
		gradient[i] *= inverse
	}
	return false
}

// finiteTimes tells whether all values stay finite when they are multiplied.
func finiteTimes[T Float](values []T, factor T) bool {
	for _, v := range values {
		if !finiteValue(v * factor) {
			return false
		}
	}
	return true
}

// filled reports gradients that no kernel wrote.
func (s *LossScaler) filled(start, n, of int64) {
	e := seen("fill-float")
	e.place = start
	e.text = fillText("the scaled gradients", start, n, of)
	if err := s.watch.run.report(e); err != nil {
		s.mu.Lock()
		s.fault = err
		s.mu.Unlock()
	}
}

// ScaledOptimizer is one optimizer behind a [LossScaler].
type ScaledOptimizer struct {
	scaler *LossScaler
	name   string
	watch  *OptimizerWatch
	before atomic.Pointer[ScalerCounts] // from a checkpoint
}

// Optimizer returns the optimizer of that name, the same one each time.
func (s *LossScaler) Optimizer(name string) *ScaledOptimizer {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.optimizers {
		if o.name == name {
			return o
		}
	}
	o := &ScaledOptimizer{scaler: s, name: name, watch: s.watch.Optimizer(name)}
	s.optimizers = append(s.optimizers, o)
	return o
}

// Step asks whether the optimizer is to apply its update, and counts it. The
// error is the [*Fault] that [Unscale] saw in the gradients, or a [*Finding]
// about the scale; it does not change the answer.
func (o *ScaledOptimizer) Step(overflow bool) (apply bool, err error) {
	s := o.scaler
	s.mu.Lock()
	scale, fault := s.scale, s.fault
	s.stepped = true
	s.overflow = s.overflow || overflow
	s.mu.Unlock()
	if err := o.watch.Step(overflow, scale); fault == nil {
		return !overflow, err
	}
	return !overflow, fault
}

// Counts is what became of the steps of the optimizer, those before the
// checkpoint that the scaler was restored from included.
func (o *ScaledOptimizer) Counts() ScalerCounts {
	c, b := o.watch.Counts(), o.before.Load()
	if b == nil {
		return c
	}
	return ScalerCounts{c.Attempted + b.Attempted, c.Applied + b.Applied, c.Skipped + b.Skipped, c.Unmoved + b.Unmoved}
}

// Update moves the scale, once all optimizers made their step: down when one of
// them overflowed and the hysteresis is used up, up after Interval updates
// without an overflow. Without a step since the last update it does nothing.
func (s *LossScaler) Update() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.stepped {
		return
	}
	c := &s.config
	if s.overflow {
		s.good = 0
		s.hysteresis--
		if s.hysteresis <= 0 {
			s.scale = math.Max(s.scale*c.Backoff, c.Floor)
		}
	} else if s.good++; s.good >= c.Interval {
		s.good, s.hysteresis = 0, c.Hysteresis
		s.scale = math.Min(s.scale*c.Growth, c.Ceiling)
	}
	s.stepped, s.overflow, s.fault = false, false, nil
}
