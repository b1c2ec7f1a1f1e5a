//go:build !unix

package supervise

import (
	"context"
	"io"
	"syscall"
	"time"

	"github.com/trainvet/trainvet/internal/machine"
	"github.com/trainvet/trainvet/logscan/rundir"
)

// Session is one run; there are none here.
type Session struct{}

// Prepare says that this system is not supported.
func Prepare(context.Context, Options) (*Session, error) {
	return nil, &StartError{CodeOwn, ErrUnsupported}
}

// ID is never called: there is no session.
func (s *Session) ID() string { return "" }

// Dir is never called: there is no session.
func (s *Session) Dir() string { return "" }

// Run is never called: there is no session.
func (s *Session) Run() (*Outcome, error) { return nil, ErrUnsupported }

// Detach is never called: there is no session.
func (s *Session) Detach() (int, error) { return 0, ErrUnsupported }

// Role is always empty.
func Role([]string) string { return "" }

// ReadOptions is never called: there are no roles.
func ReadOptions([]string) (string, Options, error) { return "", Options{}, ErrUnsupported }

// Supervise says that this system is not supported.
func Supervise(string, Options) (*Outcome, error) { return nil, ErrUnsupported }

// Keep says that this system is not supported.
func Keep(string, Options) error { return ErrUnsupported }

// StopRun says that this system is not supported.
func StopRun(context.Context, string, time.Duration) (bool, error) { return false, ErrUnsupported }

// Adopt says that this system is not supported.
func Adopt(string, Options) (bool, error) { return false, ErrUnsupported }

// View says that this system is not supported.
func View(context.Context, string, io.Writer) error { return ErrUnsupported }

// ReadOutcome says that this system is not supported.
func ReadOutcome(string) (*Outcome, error) { return nil, ErrUnsupported }

// Targets is never called: there is no run.
func Targets(context.Context, *rundir.Manifest) []machine.Target { return nil }

// Die does nothing.
func Die(syscall.Signal) {}

// SignalName names a signal as the system does.
func SignalName(s syscall.Signal) string { return s.String() }

func stateOf(*rundir.Dir) State { return Open }

// Locate: a record is nowhere else.
func Locate(path string) (string, func()) { return path, func() {} }

// Settle: a record is nowhere else.
func Settle(dir string) (string, error) { return dir, nil }
