//go:build unix && !linux

package supervise

import (
	"errors"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

var errNotHere = errors.New("this system cannot do it")

// adoptOrphans: what a child leaves behind goes to the first process here.
func adoptOrphans() error { return errNotHere }

// dieWith: a keeper here looks for its parent instead.
func dieWith(*syscall.SysProcAttr, syscall.Signal) {}

// defaultAction: the signals that the Go runtime keeps for crashes cannot be
// given back here.
func defaultAction(sig syscall.Signal) bool {
	switch sig {
	case syscall.SIGABRT, syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL, syscall.SIGTRAP, syscall.SIGSYS, syscall.SIGQUIT:
		return false
	}
	signal.Reset(sig)
	return true
}

func punch(*os.File, int64, int64) error { return errNotHere }

func allocateBehind(*os.File, int64) error { return errNotHere }

// allocate writes what cannot be set aside.
func allocate(f *os.File, n int64) error {
	zeros := make([]byte, 1<<20)
	for n > 0 {
		m, err := f.Write(zeros[:min(n, int64(len(zeros)))])
		if err != nil {
			return err
		}
		n -= int64(m)
	}
	return nil
}

func free(dir string) (int64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, err
	}
	return int64(st.Bavail) * int64(st.Bsize), nil
}

func kernelVersion() string { return "" }

func memory() int64 { return 0 }
