//go:build unix

package supervise

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/trainvet/trainvet/logscan/follow"
	"github.com/trainvet/trainvet/logscan/rundir"
)

func signalNumber(name string) int { return int(unix.SignalNum(name)) }

// stateOf tells apart runs without a trailer.
func stateOf(d *rundir.Dir) State {
	if locked, err := rundir.Locked(d.Path); err == nil && locked {
		return Running
	}
	var c childState
	if load(d.Path, childFile, &c) == nil && c.alive(now()) {
		return Orphaned
	}
	return Open
}

// StopRun asks the trainer of a run to end and kills it after the grace. It
// returns when the trainer is gone, and reports whether it had to be killed.
func StopRun(ctx context.Context, dir string, grace time.Duration) (killed bool, err error) {
	var c childState
	if err := load(dir, childFile, &c); err != nil {
		return false, fmt.Errorf("stopping the run: %w", err)
	}
	if !c.alive(now()) {
		return false, nil
	}
	if err := save(dir, stopFile, stopState{Who: "trainvet stop", Wall: time.Now().UnixNano()}); err != nil {
		return false, err
	}
	if err := syscall.Kill(-c.Group, syscall.SIGTERM); err != nil {
		return false, fmt.Errorf("stopping process group %d: %w", c.Group, err)
	}
	if waitGone(ctx, &c, grace) {
		return false, nil
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if err := syscall.Kill(-c.Group, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		return false, fmt.Errorf("killing process group %d: %w", c.Group, err)
	}
	if !waitGone(ctx, &c, grace) {
		return true, fmt.Errorf("process %d does not end: %s", c.Pid, stuck(c.Pid))
	}
	return true, nil
}

func stuck(pid int) string {
	if p, ok := readProcess(pid); ok && p.state == "D" {
		return "it is stuck in the kernel"
	}
	return "it took no notice of SIGKILL"
}

func waitGone(ctx context.Context, c *childState, within time.Duration) bool {
	deadline := time.Now().Add(within)
	for c.alive(now()) {
		if ctx.Err() != nil || time.Now().After(deadline) {
			return false
		}
		time.Sleep(30 * time.Millisecond)
	}
	return true
}

// Adopt makes sure that a run that is not closed has a supervisor. It reports
// whether it started one.
func Adopt(dir string, opt Options) (bool, error) {
	if locked, err := rundir.Locked(dir); err != nil || locked {
		return false, err
	}
	r, err := spawnSupervisor(dir, opt)
	if err != nil {
		return false, fmt.Errorf("taking the run over: %w", err)
	}
	switch r.Error {
	case "":
		return true, nil
	case ErrSupervised.Error(), ErrClosed.Error(): // another one was quicker
		return false, nil
	}
	return false, fmt.Errorf("taking the run over: %s", r.Error)
}

// viewBack is how much of the past a viewer is shown.
const viewBack = 64 << 10

// View shows the output of a run that has a supervisor until the run is closed,
// or left open by its supervisor. It changes nothing.
func View(ctx context.Context, dir string, w io.Writer) error {
	path := filepath.Join(dir, rundir.LogFile)
	f, err := follow.Open(path, follow.Options{Poll: true, Interval: pollInterval, From: max(0, fileSize(path)-viewBack)})
	if err != nil {
		return fmt.Errorf("showing the run: %w", err)
	}
	defer f.Close()
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		locked, err := rundir.Locked(dir)
		if err != nil {
			return err
		}
		if err := viewReady(f, w); err != nil {
			return err
		}
		if !locked {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// viewReady shows what there is by now, up to a gap: behind one stands what was
// shown already.
func viewReady(f *follow.Follower, w io.Writer) error {
	for {
		e, ok, err := f.Ready()
		switch {
		case err != nil:
			return fmt.Errorf("showing the run: %w", err)
		case !ok:
			return nil
		case e.Gap != nil && e.Gap.Kind == follow.Replaced:
			return nil
		}
		if _, err := w.Write(e.Bytes); err != nil {
			return fmt.Errorf("showing the run: %w", err)
		}
	}
}
