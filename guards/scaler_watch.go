package guards

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/trainvet/trainvet/guards/record"
)

// ScalerWatch counts what a loss scaler throws away, for each optimizer, by the
// overflow flag. The scale does not tell: a scaler with hysteresis skips
// without lowering it, one at its floor cannot, and one that several optimizers
// share says neither which of them skipped nor how many.
type ScalerWatch struct {
	run   *Run
	floor float64
	state atomic.Int32 // scaleState
}

// scaleState is what is wrong with a scale.
type scaleState = int32

const (
	scaleFine scaleState = iota
	scaleFloor
	scaleZero
	scaleNonFinite
)

// WatchScaler watches a loss scaler for the run of the process. Floor is the
// least scale that it can fall to, 0 where there is none.
func WatchScaler(floor float64) *ScalerWatch { return Default().WatchScaler(floor) }

// WatchScaler is the function of that name for this run.
func (r *Run) WatchScaler(floor float64) *ScalerWatch {
	return &ScalerWatch{run: r, floor: max(floor, 0)}
}

// Optimizer returns the watch of one optimizer behind the scaler. Make it once:
// it counts in the step ledger of that name.
func (w *ScalerWatch) Optimizer(name string) *OptimizerWatch {
	o := &OptimizerWatch{scaler: w, steps: w.run.Steps(name)}
	o.steps.readBy(howFoundInf)
	o.skipped.Store(applied)
	return o
}

// OptimizerWatch counts the steps of one optimizer behind a loss scaler.
type OptimizerWatch struct {
	scaler *ScalerWatch
	steps  *Steps

	skipped atomic.Uint64 // bits of the scale that the last step was skipped at; applied: it was not
	unmoved atomic.Int64
}

// applied are the bits of a NaN that no scale has.
const applied = ^uint64(0)

// ScalerCounts is what became of the steps of an optimizer.
type ScalerCounts struct {
	Attempted int64 `json:"attempted"` // steps asked for
	Applied   int64 `json:"applied"`   // steps that updated the parameters
	Skipped   int64 `json:"skipped"`   // steps that were thrown away
	Unmoved   int64 `json:"unmoved"`   // of these, the ones after which the scale stood where it was
}

// Step counts one step of the optimizer: whether its gradients overflowed, so
// that it is skipped, and the scale that they were computed with, before the
// scaler updates it. It returns a [*Finding] when the scale becomes 0 or not
// finite, or stands at its floor while steps are skipped; the skips themselves
// are counted and no error.
func (o *OptimizerWatch) Step(overflow bool, scale float64) error {
	now := applied
	if overflow {
		now = math.Float64bits(scale)
	}
	if last := o.skipped.Swap(now); last != applied && scale >= math.Float64frombits(last) {
		o.unmoved.Add(1)
	}
	floor := overflow && scale <= o.scaler.floor
	if overflow {
		o.steps.skip(0, record.Skip{Reason: "found-inf", Scale: record.Float(scale), Scaled: true, AtFloor: floor || scale == 0})
	} else {
		o.steps.Apply(0)
	}
	return o.scaler.judge(scale, overflow, floor)
}

// Counts is what became of the steps so far. Whether the scale moved after the
// last skip is known at the step behind it.
func (o *OptimizerWatch) Counts() ScalerCounts {
	s := o.steps
	return ScalerCounts{Attempted: s.Attempted(), Applied: s.Applied(), Skipped: s.Skipped(), Unmoved: o.unmoved.Load()}
}

// judge speaks up when the scale gets into another bad state, once. A step that
// is applied at the floor ends that one: the scale is small, and works.
func (w *ScalerWatch) judge(scale float64, overflow, floor bool) error {
	state, code := scaleFine, ""
	switch {
	case !finiteValue(scale):
		state, code = scaleNonFinite, "scale-nonfinite"
	case scale == 0:
		state, code = scaleZero, "scale-zero"
	case floor:
		state, code = scaleFloor, "scale-floor"
	}
	if w.state.Swap(state) == state || state == scaleFine {
		return nil
	}
	e := seen(code)
	e.text = w.text(state, scale, overflow)
	return w.run.find(e)
}

func (w *ScalerWatch) text(state scaleState, scale float64, overflow bool) string {
	switch state {
	case scaleNonFinite:
		return fmt.Sprintf("the loss scale is %s", word(scale))
	case scaleZero:
		if overflow {
			return "the loss scale is 0: every step is skipped from here on, and the scale cannot fall to tell"
		}
		return "the loss scale is 0: gradients divided by it are NaN, which is not seen as an overflow, and are applied"
	}
	return fmt.Sprintf("the loss scale stands at its floor of %g and steps are still being skipped: no scale in reach fits these gradients", w.floor)
}
