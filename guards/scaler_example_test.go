package guards_test

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/trainvet/trainvet/guards"
)

// A dynamic loss scaler for a trainer that has none.
func ExampleLossScaler() {
	scaler, err := guards.New(guards.Options{}).NewLossScaler(guards.ScalerConfig{Start: 65536})
	if err != nil {
		fmt.Println(err)
		return
	}
	adam := scaler.Optimizer("adam")
	for _, scaled := range [][]float32{{float32(math.Inf(1))}, {32768}, {16384}} { // gradients of the scaled loss
		overflow := guards.Unscale(scaler, scaled)
		apply, err := adam.Step(overflow)
		if err != nil {
			fmt.Println(err)
		}
		fmt.Println(scaler.Scale(), apply, scaled[0])
		scaler.Update()
	}
	// Output:
	// 65536 false +Inf
	// 32768 true 1
	// 32768 true 0.5
}

// Hysteresis of 2: the first overflow skips and leaves the scale alone.
func ExampleScalerConfig() {
	scaler, _ := guards.New(guards.Options{}).NewLossScaler(guards.ScalerConfig{Start: 1024, Hysteresis: 2})
	adam := scaler.Optimizer("adam")
	for range 2 {
		_, _ = adam.Step(true)
		scaler.Update()
		fmt.Println(scaler.Scale())
	}
	_, err := guards.NewLossScaler(guards.ScalerConfig{Backoff: 2})
	fmt.Println(err)
	// Output:
	// 1024
	// 512
	// setting up a loss scaler: the backoff is 2, which is not below 1
}

// Two optimizers behind one scaler: skips are counted for each.
func ExampleScaledOptimizer() {
	scaler, _ := guards.New(guards.Options{}).NewLossScaler(guards.ScalerConfig{})
	generator, discriminator := scaler.Optimizer("generator"), scaler.Optimizer("discriminator")
	for step := range 10 {
		_, _ = generator.Step(false)
		_, _ = discriminator.Step(step == 3)
		scaler.Update()
	}
	fmt.Println(generator.Counts().Skipped, discriminator.Counts().Skipped, scaler.Scale())
	// Output: 0 1 32768
}

// The state goes into the checkpoint.
func ExampleScalerState() {
	run := guards.New(guards.Options{})
	scaler, _ := run.NewLossScaler(guards.ScalerConfig{})
	_, _ = scaler.Optimizer("adam").Step(true)
	scaler.Update()
	saved, _ := json.Marshal(scaler.State())
	fmt.Println(string(saved))

	var state guards.ScalerState
	_ = json.Unmarshal(saved, &state)
	resumed, _ := guards.New(guards.Options{}).NewLossScaler(guards.ScalerConfig{})
	fmt.Println(resumed.Restore(state), resumed.Scale(), resumed.Optimizer("adam").Counts().Skipped)
	// Output:
	// {"scale":32768,"good":0,"hysteresis":0,"optimizers":{"adam":{"attempted":1,"applied":0,"skipped":1,"unmoved":0}}}
	// <nil> 32768 1
}

// Watching a scaler that the trainer has: hand over the overflow flag and the
// scale, before the scaler updates it.
func ExampleScalerWatch() {
	scaler := guards.New(guards.Options{}).WatchScaler(0)
	adam := scaler.Optimizer("adam")
	fmt.Println(adam.Step(true, 1))
	fmt.Println(adam.Step(false, 0))
	// Output:
	// <nil>
	// finding scale-zero: the loss scale is 0: gradients divided by it are NaN, which is not seen as an overflow, and are applied
}

func ExampleOptimizerWatch() {
	adam := guards.New(guards.Options{}).WatchScaler(1).Optimizer("adam")
	_ = adam.Step(true, 2)
	fmt.Println(adam.Step(true, 1))
	fmt.Printf("%+v\n", adam.Counts())
	// Output:
	// finding scale-floor: the loss scale stands at its floor of 1 and steps are still being skipped: no scale in reach fits these gradients
	// {Attempted:2 Applied:0 Skipped:2 Unmoved:0}
}

// The scale shows three of these five skips; the overflow flag shows all.
func ExampleScalerCounts() {
	adam := guards.New(guards.Options{}).WatchScaler(0).Optimizer("adam")
	scales := []float64{65536, 65536, 32768, 16384, 16384, 8192}
	for i, scale := range scales {
		_ = adam.Step(i != 5, scale)
	}
	c := adam.Counts()
	fmt.Println(c.Skipped, "skipped,", c.Unmoved, "of them left the scale alone")
	// Output: 5 skipped, 2 of them left the scale alone
}

func ExampleStartAdvice() {
	advice := guards.AdviseStart(16)
	fmt.Println(advice.Scale)
	fmt.Println(advice.Reason)
	// Output:
	// 1024
	// a start at 65,536 can throw away up to 6 of the 16 steps (37.5 %) before it is down at 1,024, and a run below 2000 steps ends before a scale can grow; if gradients underflow at 1,024, start higher
}
