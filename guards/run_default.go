package guards

import (
	"os"
	"sync/atomic"
)

// std is the one piece of state that belongs to the package: the run that the
// package's functions use, as log/slog has its default logger.
var std atomic.Pointer[Run]

// Default returns the run of this process. The first call makes it, from the
// environment: [EnvRun] names the run directory.
func Default() *Run {
	if r := std.Load(); r != nil {
		return r
	}
	std.CompareAndSwap(nil, New(Options{Dir: os.Getenv(EnvRun)}))
	return std.Load()
}

// SetDefault makes r the run that the package's functions use. Sites, ledgers
// and metrics that exist keep the run that they were made with, so it is called
// first thing in main. To change no more than the policy, use
// Default().SetPolicy.
func SetDefault(r *Run) { std.Store(r) }

// Close closes the default run; see [Run.Close].
func Close() error { return Default().Close() }

// SetStep tells the default run where the trainer stands; see [Run.SetStep].
func SetStep(step int64) { Default().SetStep(step) }

// Err is the sticky fault of the default run; see [Run.Err].
func Err() error { return Default().Err() }
