//go:build unix

package logscan_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/guards"
	"github.com/trainvet/trainvet/logscan/rundir"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// watched is what the loop of TestVerdictsOnGrades hands to the guards.
type watched struct {
	site       *guards.Site
	adam       *guards.ScaledOptimizer
	scaler     *guards.LossScaler
	finite     map[guards.Quantity]*guards.FiniteWatch
	norms      *guards.SpikeWatch
	ids        []int32 // of the evaluation at this step
	overflowed bool    // the step is to be skipped
}

func (w *watched) check(q guards.Quantity, values ...float32) {
	guards.CheckFinite(w.finite[q], "layer", values)
}

// TestVerdictsOnGrades is the way from what a guard sees to the verdict on what
// was printed, for each grade and its twin. The loop trains for 60 steps and
// evaluates at step 30 and 60.
func TestVerdictsOnGrades(t *testing.T) {
	t.Parallel()
	nan := float32(math.NaN())
	fill := math.Float32frombits(0x01010101)
	at := func(step int, f func(w *watched)) func(int, *watched) {
		return func(n int, w *watched) {
			if n == step {
				f(w)
			}
		}
	}
	const trusted, unproven, degraded, poisoned = verdict.Trusted, verdict.Unproven, verdict.Degraded, verdict.Poisoned
	tests := map[string]struct {
		do         func(n int, w *watched)
		at30, at60 verdict.Verdict
	}{
		"healthy":           {func(int, *watched) {}, trusted, trusted},
		"signature":         {at(60, func(w *watched) { w.ids[5] = 16843009 }), trusted, poisoned},
		"impossible":        {at(60, func(w *watched) { w.ids[5] = -1 }), trusted, poisoned},
		"trailing fill":     {func(_ int, w *watched) { copy(w.ids[400:], slices.Repeat([]int32{-100}, 48)) }, trusted, trusted},
		"one padding id":    {at(30, func(w *watched) { w.ids[5] = 50010 }), trusted, trusted},
		"many padding ids":  {at(30, func(w *watched) { manyUnmapped(w.ids) }), unproven, trusted},
		"with a witness":    {at(60, func(w *watched) { w.site.Witness("Xid 79"); manyUnmapped(w.ids) }), trusted, poisoned},
		"untrained":         {func(n int, w *watched) { untrained(n, w.ids) }, trusted, trusted},
		"stuck":             {at(60, func(w *watched) { clear(w.ids) }), trusted, unproven},
		"says one word":     {func(_ int, w *watched) { copy(w.ids, slices.Repeat([]int32{262}, 448)) }, trusted, trusted},
		"buffer":            {at(45, func(w *watched) { w.check(guards.Buffer, 1, nan) }), trusted, poisoned},
		"parameter":         {at(45, func(w *watched) { w.check(guards.Parameter, nan) }), trusted, poisoned},
		"output":            {at(60, func(w *watched) { w.check(guards.Output, nan) }), trusted, poisoned},
		"bytes of 0x01":     {at(45, func(w *watched) { w.check(guards.Parameter, slices.Repeat([]float32{fill}, 64)...) }), trusted, poisoned},
		"tiny values":       {at(45, func(w *watched) { w.check(guards.Parameter, 1, fill, fill, 2) }), trusted, trusted},
		"one input":         {at(45, func(w *watched) { w.check(guards.Input, nan) }), trusted, trusted},
		"overflow, skipped": {at(45, func(w *watched) { w.check(guards.Gradient, nan); w.overflowed = true }), trusted, trusted},
		"overflow, applied": {at(45, func(w *watched) { w.check(guards.Gradient, nan) }), trusted, poisoned},
		"spike":             {at(45, func(w *watched) { w.norms.Norm(58463) }), trusted, trusted},
		"O24":               {func(n int, w *watched) { w.overflowed = n == 40 || n == 43 || n == 44 || n == 47 || n == 48 }, trusted, degraded},
		"at the floor":      {func(n int, w *watched) { w.overflowed = n == 40 || n == 41 }, trusted, degraded},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := guards.ScalerConfig{Start: 65536, Hysteresis: 2}
			if name == "at the floor" {
				config = guards.ScalerConfig{Start: 2, Floor: 1}
			}
			res := auditGuarded(t, gradedRun(t, config, c.do))
			first, last := valueAt(t, res, "eval_wer", 30), valueAt(t, res, "eval_wer", 60)
			text := explain(first, last)
			require.Equal(t, c.at30, first.Verdict, text)
			require.Equal(t, c.at60, last.Verdict, text)
		})
	}
}

// manyUnmapped puts ids of padding columns into one id of 45.
func manyUnmapped(ids []int32) {
	for i := range 10 {
		ids[i*45] = int32(50000 + i)
	}
}

// untrained draws all columns alike, as a model does that never learnt.
func untrained(n int, ids []int32) {
	for i := range ids {
		ids[i] = int32((i*i*31 + i*17 + n*7) % 50064)
	}
}

// gradedRun makes the run directory of a loop that runs in this process.
func gradedRun(t *testing.T, config guards.ScalerConfig, do func(int, *watched)) string {
	t.Helper()
	dir, log, side := openRun(t, 1)
	event := func(e rundir.Event) {
		e.Wall, e.Pid = time.Now().UnixNano(), os.Getpid()
		require.NoError(t, side.Write(e))
	}
	event(rundir.Event{Type: rundir.EventStart, Mono: 1})
	run := guards.New(guards.Options{Dir: dir, Policy: guards.Record})
	vocab, err := guards.NewVocab(50000, guards.LogitsWidth(50064), guards.Fill(-100))
	require.NoError(t, err)
	scaler, err := run.NewLossScaler(config)
	require.NoError(t, err)
	w := &watched{site: run.DecodeSite("evaluate", vocab), scaler: scaler, adam: scaler.Optimizer("adam"), norms: run.WatchSpikes(""),
		finite: map[guards.Quantity]*guards.FiniteWatch{}}
	for _, q := range []guards.Quantity{guards.Loss, guards.Gradient, guards.Parameter, guards.Buffer, guards.Input, guards.Output} {
		w.finite[q] = run.WatchFinite(q)
	}
	wer := run.Metric("eval_wer", "val")
	for n := 1; n <= 60; n++ {
		run.SetStep(int64(n))
		w.overflowed, w.ids = false, make([]int32, 448)
		for i := range w.ids {
			w.ids[i] = int32((i*37 + n) % 1000)
		}
		w.norms.Norm(13 + float64(n*37%33))
		do(n, w)
		_, _ = w.adam.Step(w.overflowed) // recorded, as all is under this policy
		scaler.Update()
		w.finite[guards.Gradient].Stepped(!w.overflowed)
		if n%10 == 0 {
			fmt.Fprintf(log, "step %d loss %.4f\n", n, 2-float64(n)/100)
		}
		if n%30 == 0 {
			guards.CheckTokenIDs(w.site, w.ids)
			wer.Report(0.5-float64(n)/1000, 64)
			fmt.Fprintf(log, "step %d eval_wer %.4f\n", n, 0.5-float64(n)/1000)
		}
	}
	_ = run.Close() // its fault is the test's
	event(rundir.Event{Type: rundir.EventExit, Mono: 2, Code: new(int)})
	closeRun(t, dir, side)
	return dir
}
