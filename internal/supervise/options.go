package supervise

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// Mode is the way in which the output is recorded.
type Mode string

// The modes. File is the one in which trainvet is in nobody's way.
const (
	Auto Mode = "auto" // one of the others, by what is started and where
	File Mode = "file" // the child writes to the log itself
	TTY  Mode = "tty"  // the child has a terminal of its own
	Pipe Mode = "pipe" // the child writes to a pipe
)

// What happens at the first fault; anything else is a command.
const (
	Warn = "warn" // a line on trainvet's standard error
	Stop = "stop" // and the trainer is ended
)

// Options says what to run and how. They cross to the supervisor of a detached
// run as JSON.
type Options struct {
	Argv     []string
	Runs     string // folder of run directories
	Dir      string // run directory; empty: a new one in Runs
	Capture  string // where the record is taken while the run goes on: auto, here, or a folder
	Mode     Mode
	Detach   bool          // nothing of trainvet's may be in the way
	MaxLog   int64         // bytes that the log may take; 0: no bound
	Keep     int64         // bytes of the log that are kept a second time
	Reserve  int64         // bytes that are set aside for a full disk
	Linger   time.Duration // wait for processes that outlive the child
	Grace    time.Duration // between asking the trainer to end and killing it
	OnFault  string
	Guards   []string // variables that the guards of the child read: NAME=VALUE
	Version  string   // of trainvet
	State    string   // directory of the machine's state; empty: it is not known
	Outputs  []string // folders of the run's output: every file that changes in them is its own
	BatchCap int      // bound of a loader's batches; 0: none
	Intent   Intent   // which device was asked for
	Config   string   // file of the configuration; for the detached supervisor

	Stdin  *os.File  `json:"-"`
	Stdout io.Writer `json:"-"` // shows the output; nil: nobody looks
	Screen bool      `json:"-"` // Stdout is a terminal
	Stderr io.Writer `json:"-"` // trainvet's own lines
	Faults Faults    `json:"-"`
}

// Intent is which device was asked for, and what there is: two things.
type Intent struct {
	Asked string // auto, gpu, cpu, or a kind of GPU; empty: nobody said
	Line  string // what trainvet device says to that
	Met   bool
}

// Faults looks for fault lines with the code of the audit.
type Faults interface {
	// Literals are texts of at least 8 bytes, one of which stands in every fault
	// line, in any letter case.
	Literals() []string
	// First returns the first fault in a log, nil if there is none.
	First(log string) (*Fault, error)
}

// Fault is a fault as it was seen while the run went on.
type Fault struct {
	Marker, Scope, Device, Text string
	Offset                      int64
	Line                        int64
}

// Outcome is what became of a run.
type Outcome struct {
	ID, Dir   string
	Pid       int
	Code      int            // of the child; -1 with a signal, or not known
	Signal    syscall.Signal // that ended the child
	Known     bool           // the child's exit is known
	Ending    Ending
	Took      time.Duration
	CPU       time.Duration // of trainvet itself
	ChildCPU  time.Duration // of the child and what it waited for
	Survivors []string      // processes that still hold the log; the run is not closed
	Fault     *Fault

	settle func() (string, error) // nil: the record is where it belongs
}

// Settle brings the record home, where it was taken on another disk than that
// of the run directory. It comes behind the receipt: then nothing is written to
// the record any more.
func (o *Outcome) Settle() error {
	if o.settle == nil {
		return nil
	}
	dir, err := o.settle()
	o.settle, o.Dir = nil, dir
	return err
}

// The exit codes of a run that could not begin.
const (
	CodeOwn     = 125 // trainvet's own failure
	CodeNotExec = 126 // the program cannot be executed
	CodeMissing = 127 // there is no such program
)

// StartError says that no child was started.
type StartError struct {
	Code int
	Err  error
}

func (e *StartError) Error() string { return e.Err.Error() }

// Unwrap returns why.
func (e *StartError) Unwrap() error { return e.Err }

func own(doing string, err error) error {
	if err == nil {
		return nil
	}
	return &StartError{CodeOwn, fmt.Errorf("%s: %w", doing, err)}
}

// ErrUnsupported says that this system has nothing to supervise with.
var ErrUnsupported = errors.New("trainvet run needs a Unix system: it is not supported here")

// LeastLog is the smallest bound of a log that makes sense: file systems free in
// pieces, and beginning and end are to be kept.
const LeastLog = 16 << 20
