package guards_test

import (
	"fmt"

	"github.com/trainvet/trainvet/guards"
)

// The ledger of an optimizer whose scaler meets an overflow at the third step.
func ExampleSteps() {
	run := guards.New(guards.Options{})
	steps := run.Steps("AdamW")
	steps.Plan(5)
	for n := 1; n <= 5; n++ {
		run.SetStep(int64(n))
		overflow := n == 3 // as the gradients say it
		if overflow {
			steps.Skip(32, "found-inf")
		} else {
			steps.Apply(32)
		}
	}
	fmt.Println(steps.Attempted(), "attempted,", steps.Applied(), "applied,", steps.Skipped(), "skipped")
	// Output: 5 attempted, 4 applied, 1 skipped
}
