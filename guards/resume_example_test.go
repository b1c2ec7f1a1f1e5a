package guards_test

import (
	"fmt"

	"github.com/trainvet/trainvet/guards"
)

// A trainer that was started again says what it goes on from; the audit joins
// it to the process that wrote the file.
func ExampleCarried() {
	run := guards.New(guards.Options{})
	run.Resumed("checkpoints/step-20.bin", 20, guards.Carried{Optimizer: "adam", Attempted: 20, Applied: 15})
	fmt.Println(run.Step())
	// Output: 20
}
