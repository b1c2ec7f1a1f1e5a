package guards_test

import (
	"fmt"

	"github.com/trainvet/trainvet/guards"
)

// A value comes with the number of samples behind it.
func ExampleMetric() {
	run := guards.New(guards.Options{})
	accuracy := run.Metric("accuracy", "val").Expect(37)
	if err := accuracy.ReportShare(31, 37); err != nil {
		fmt.Println(err)
	}
	if err := accuracy.Report(0, 0); err != nil {
		fmt.Println(err)
	}
	// Output: finding empty-evaluation of accuracy: accuracy was computed from zero samples
}
