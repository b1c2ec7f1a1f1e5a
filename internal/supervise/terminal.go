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
// for a signal, and so may a line of trainvet's own: it is not wanted any more.
func front(f *os.File, pgid int) {
	signal.Ignore(syscall.SIGTTOU)
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

// resumed follows trainvet into the foreground of its terminal: the shell brought
// it there, and knows nothing of the child's group.
func (s *Session) resumed() {
	if s.console == nil && s.opt.Mode != TTY && foreground(s.opt.Stdin) {
		s.console = s.opt.Stdin
	}
	if s.console != nil && !s.end.done {
		front(s.console, s.child.Group)
		_ = syscall.Kill(-s.child.Group, syscall.SIGCONT)
	}
}
