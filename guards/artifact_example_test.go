package guards_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/trainvet/trainvet/guards"
)

// What goes in and what comes out of a run carries faults from one run into the
// next, so both are recorded.
func ExampleKind() {
	dir, err := os.MkdirTemp("", "out")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "model.bin")

	run := guards.New(guards.Options{})
	run.Read("base.bin", guards.Checkpoint)
	if err := os.WriteFile(path, []byte("parameters"), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(run.Wrote(path, guards.Checkpoint))
	// Output: <nil>
}
