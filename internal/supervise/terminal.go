//go:build unix

package supervise

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// foreground reports whether f is the terminal in whose foreground trainvet
// runs. Then the child's group is put there instead: the keys of the terminal
// reach the trainer as they would without trainvet, once.
func foreground(f *os.File) bool {
	if f == nil {
		return false
	}
	front, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCGPGRP)
	return err == nil && front == syscall.Getpgrp()
}

// front puts a process group into the foreground. From the background that asks
// for a signal, which is not wanted.
func front(f *os.File, pgid int) {
	signal.Ignore(syscall.SIGTTOU)
	defer signal.Reset(syscall.SIGTTOU)
	_ = unix.IoctlSetPointerInt(int(f.Fd()), unix.TIOCSPGRP, pgid) // the terminal may be gone
}

// suspend follows a child that was stopped at the terminal, so that the shell
// gets it back, and goes on with the child when the shell says so.
func suspend(f *os.File, pgid int) {
	front(f, syscall.Getpgrp())
	_ = syscall.Kill(0, syscall.SIGSTOP) // returns when the shell continues us
	if foreground(f) {
		front(f, pgid)
	}
	_ = syscall.Kill(-pgid, syscall.SIGCONT)
}
