package guards_test

import (
	"errors"
	"fmt"
	"math"

	"github.com/trainvet/trainvet/guards"
)

// Buffers are checked, too: one infinite batch leaves every parameter finite
// and a running mean that is not.
func ExampleFiniteWatch() {
	buffers := guards.New(guards.Options{}).WatchFinite(guards.Buffer)
	err := guards.CheckFinite(buffers, "bn1.running_mean", []float32{0.1, float32(math.Inf(1)), 0.3})
	fmt.Println(errors.Is(err, guards.ErrQuality), errors.Is(err, guards.ErrFault))
	fmt.Println(err)
	// Output:
	// true false
	// finding nonfinite-buffer of bn1.running_mean: 1 of 3 values of the buffer bn1.running_mean are not finite, the first is +Inf at 1
}

// What a quantity is decides what a value that is not finite means.
func ExampleQuantity() {
	run := guards.New(guards.Options{})
	for _, q := range []guards.Quantity{guards.Loss, guards.Output} {
		var f *guards.Finding
		if errors.As(run.WatchFinite(q).Value("", math.NaN()), &f) {
			fmt.Println(q, f.Grade)
		}
	}
	// Output:
	// loss nonfinite-loss
	// output nonfinite-output
}

// Half-precision values are bits in Go. Bytes of 0x01 are finite, so that
// nothing but their pattern tells.
func ExampleFormat() {
	weights := make([]uint16, 256)
	for i := range 128 {
		weights[i] = 0x0101
	}
	fmt.Println(guards.AllFiniteBits(weights, guards.BF16))
	w := guards.New(guards.Options{}).WatchFinite(guards.Parameter)
	fmt.Println(guards.CheckFiniteBits(w, "wte", weights, guards.BF16))
	// Output:
	// true
	// fault fill-float, place 0: 128 of 256 values of the parameter wte, from 0 on, are bytes of 0x01: memory that no kernel wrote, finite and tiny as floats
}

// The overflow flag of a step.
func ExampleFloat() {
	gradient := []float64{0.5, math.NaN(), -2}
	overflow := !guards.AllFinite(gradient)
	fmt.Println(overflow)
	// Output: true
}

// One norm of 58,463 among norms of 13 to 45.
func ExampleSpikeWatch() {
	norms := guards.New(guards.Options{}).WatchSpikes("")
	for i := range 20 {
		_ = norms.Norm(13 + float64(i*37%33))
	}
	fmt.Println(norms.Norm(58463))
	// Output: finding gradient-spike: a gradient norm of 58463 among norms of 13 to 45
}
