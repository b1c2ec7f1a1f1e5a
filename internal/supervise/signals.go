//go:build unix

package supervise

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// handled are the signals that trainvet takes. What each does, per kind of run,
// is the table of docs/run.md.
var handled = []os.Signal{
	syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGWINCH, syscall.SIGCONT,
}

// catch takes the signals; one that was ignored when trainvet was started, as
// nohup does, stays ignored, for the child too.
func catch() (ch chan os.Signal, release func()) {
	ch = make(chan os.Signal, 32)
	for _, s := range handled {
		if !signal.Ignored(s) {
			signal.Notify(ch, s)
		}
	}
	return ch, func() { signal.Stop(ch) }
}

// target says where a signal goes.
type target int

const (
	toNobody  target = iota
	toProgram        // the child alone
	toGroup          // the child's process group
)

// passOn is the table: a signal that came to trainvet, and who gets it.
func passOn(s syscall.Signal, detached, scheduled bool) target {
	if detached {
		return toNobody // only trainvet stop ends it
	}
	switch s {
	case syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT:
		return toGroup
	case syscall.SIGUSR1, syscall.SIGUSR2:
		// Their default is death, so they go to none but the program. A batch
		// scheduler signals every process of a step by itself.
		if !scheduled {
			return toProgram
		}
	}
	return toNobody
}

func signalName(s syscall.Signal) string {
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return s.String()
}

// SignalName is SIGTERM and the like.
func SignalName(s syscall.Signal) string { return signalName(s) }

// Die ends this process by the signal that ended the child, so that whoever
// waits for it sees what it would see without trainvet. It returns where that is
// not possible, as for the first process of a container.
func Die(s syscall.Signal) {
	if os.Getpid() == 1 || s != syscall.SIGKILL && !defaultAction(s) {
		return
	}
	var none unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_CORE, &none) == nil {
		none.Cur = 0
		_ = unix.Setrlimit(unix.RLIMIT_CORE, &none) // the core worth having is the child's
	}
	if syscall.Kill(os.Getpid(), s) == nil {
		select {} // the signal is on its way
	}
}
