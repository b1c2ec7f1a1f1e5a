//go:build unix

package supervise

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
)

// exited is a process that was reaped.
type exited struct {
	pid    int
	status syscall.WaitStatus
	usage  syscall.Rusage
}

// reaper is the parent of everything below trainvet: it starts processes, and
// reaps all that end, also those that a child left behind. Nothing else in the
// process may wait for children while it runs.
type reaper struct {
	ended   chan exited
	started chan struct{} // there is somebody to wait for
	quit    chan struct{}
	once    sync.Once
}

func newReaper() *reaper {
	r := &reaper{ended: make(chan exited, 64), started: make(chan struct{}, 1), quit: make(chan struct{})}
	go r.loop()
	return r
}

// loop waits in the kernel while there are children, for SIGCHLD while not: an
// orphan may become ours at any time.
func (r *reaper) loop() {
	child := make(chan os.Signal, 1)
	signal.Notify(child, syscall.SIGCHLD)
	defer signal.Stop(child)
	for {
		var e exited
		pid, err := syscall.Wait4(-1, &e.status, syscall.WUNTRACED, &e.usage)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			select {
			case <-child:
			case <-r.started:
			case <-r.quit:
				return
			}
		default:
			e.pid = pid
			select {
			case r.ended <- e:
			case <-r.quit:
				return
			}
		}
	}
}

func (r *reaper) close() { r.once.Do(func() { close(r.quit) }) }

// launch is a program to start.
type launch struct {
	path  string
	argv  []string
	dir   string
	env   []string
	files []*os.File
	attr  *syscall.SysProcAttr
}

// start starts a program. It does so on a thread that lives as long as trainvet
// does, since a child that is to die with its parent dies with the thread.
func (r *reaper) start(l launch) (pid int, err error) {
	type result struct {
		pid int
		err error
	}
	done := make(chan result)
	go func() {
		runtime.LockOSThread() // for good: the thread ends with the goroutine, which does not end
		p, err := os.StartProcess(l.path, l.argv, &os.ProcAttr{Dir: l.dir, Env: l.env, Files: l.files, Sys: l.attr})
		if err != nil {
			done <- result{0, err}
			runtime.UnlockOSThread()
			return
		}
		pid := p.Pid // Release forgets it
		done <- result{pid, p.Release()}
		if l.attr != nil {
			<-r.quit
		}
		runtime.UnlockOSThread()
	}()
	got := <-done
	if got.err != nil {
		return 0, fmt.Errorf("starting %s: %w", l.argv[0], got.err)
	}
	select {
	case r.started <- struct{}{}:
	default:
	}
	return got.pid, nil
}
