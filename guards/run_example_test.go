package guards_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/trainvet/trainvet/guards"
	"github.com/trainvet/trainvet/guards/record"
)

// A run of one's own, as tests and servers with several models need it. A
// trainer uses the default one.
func ExampleRun() {
	run := guards.New(guards.Options{})
	vocab, _ := guards.NewVocab(50257)
	site := run.DecodeSite("evaluate", vocab)

	run.SetStep(4010)
	if err := guards.CheckTokenIDs(site, []int64{464, 72340172838076673}); errors.Is(err, guards.ErrFault) {
		fmt.Println("this batch is no measurement")
	}
	err := run.Metric("eval_wer", "val").Report(0.31, 37)
	fmt.Println("what comes after it is none either:", errors.Is(err, guards.ErrFault))
	fmt.Println("and the process ends with it:", errors.Is(run.Close(), guards.ErrFault))
	// Output:
	// this batch is no measurement
	// what comes after it is none either: true
	// and the process ends with it: true
}

// With a run directory every event is in the record when the call returns.
func ExampleOptions() {
	dir, err := os.MkdirTemp("", "run")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	run := guards.New(guards.Options{Dir: dir, Policy: guards.Record})
	run.Steps("SGD").Apply(32)
	run.Close()

	files, _ := filepath.Glob(filepath.Join(dir, record.Folder, "*.jsonl"))
	fmt.Println(len(files), "record, lost:", run.Loss())
	// Output: 1 record, lost: <nil>
}

// The default run is made from the environment. One that is set takes its place
// for the functions of the package.
func ExampleSetDefault() {
	guards.SetDefault(guards.New(guards.Options{Policy: guards.Panic}))
	defer guards.SetDefault(guards.New(guards.Options{}))
	guards.SetStep(7)
	fmt.Println(guards.Default().Step(), guards.Err())
	// Output: 7 <nil>
}
