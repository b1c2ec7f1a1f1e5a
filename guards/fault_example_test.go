package guards_test

import (
	"errors"
	"fmt"

	"github.com/trainvet/trainvet/guards"
)

// A fault says where it was seen, to whom it may concern.
func ExampleFault() {
	run := guards.New(guards.Options{})
	vocab, _ := guards.NewVocab(50257)
	site := run.DecodeSite("transcripts", vocab)
	run.SetStep(120)

	err := guards.CheckTokenIDs(site, []int32{464, 3797, 16843009})
	err = fmt.Errorf("evaluating: %w", err)

	var f *guards.Fault
	if errors.As(err, &f) {
		fmt.Println(f.Grade, f.Site, f.Step, f.Value)
	}
	// Output: ids-signature transcripts 120 16843009
}

// A finding is the model's or the data's. A trainer may choose to go on.
func ExampleFinding() {
	run := guards.New(guards.Options{})
	accuracy := run.Metric("accuracy", "val").Expect(64)

	err := accuracy.ReportShare(50, 57)

	var f *guards.Finding
	if errors.As(err, &f) {
		fmt.Println(f.Grade)
		fmt.Println(f.Text)
	}
	// Output:
	// incomplete-evaluation
	// accuracy was computed from 57 of 64 samples
}

// A handler that turns errors into attrition must let faults through: what is
// computed from the rest of a broken batch is no smaller measurement, but none.
func Example_handler() {
	items := []error{nil, errors.New("clip too short"), nil}
	dropped := 0
	for _, err := range items {
		switch {
		case errors.Is(err, guards.ErrFault):
			fmt.Println("stop:", err)
			return
		case err != nil:
			dropped++
		}
	}
	fmt.Println("dropped", dropped)
	// Output: dropped 1
}
