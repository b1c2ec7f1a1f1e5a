//go:build unix

package rundir

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lock takes a lock that the kernel takes back when the process dies.
func lock(f *os.File) (taken bool, err error) { return flock(f, syscall.LOCK_EX|syscall.LOCK_NB) }

// locked asks for a lock that others may share, and lets it go at once.
func locked(f *os.File) (bool, error) {
	taken, err := flock(f, syscall.LOCK_SH|syscall.LOCK_NB)
	if !taken && err == nil {
		_, err = flock(f, syscall.LOCK_UN)
	}
	return taken, err
}

func flock(f *os.File, how int) (taken bool, err error) {
	for {
		err = syscall.Flock(int(f.Fd()), how)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return true, nil
		case err != nil:
			return false, fmt.Errorf("locking %s: %w", f.Name(), err)
		}
		return false, nil
	}
}
