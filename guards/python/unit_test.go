package python

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestUnits runs the tests of the Python side, which are written in Python.
func TestUnits(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("tests/test_*.py")
	if err != nil || len(files) == 0 {
		t.Fatal("no tests: ", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(interpreter(t), name)
			cmd.Env = append(os.Environ(), "PYTHONPATH=.", "TRAINVET=0", "PYTHONDONTWRITEBYTECODE=1")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		})
	}
}
