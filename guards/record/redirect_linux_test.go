package record

import (
	"os"
	"syscall"
	"testing"
)

// redirect puts a file in the place of standard output until restore is called.
func redirect(t *testing.T, f *os.File) (restore func()) {
	t.Helper()
	saved, err := syscall.Dup(1)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Dup3(int(f.Fd()), 1, 0); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := syscall.Dup3(saved, 1, 0); err != nil {
			t.Fatal(err)
		}
		syscall.Close(saved)
	}
}
