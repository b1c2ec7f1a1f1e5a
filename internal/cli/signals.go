package cli

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// signals cancels a context at the first interrupt. The second one ends the
// process as it would any other, so that a stuck command can be stopped.
type signals struct {
	number atomic.Int32
	cancel context.CancelFunc
	stop   chan os.Signal
	pipe   chan os.Signal
}

func catch() (context.Context, *signals) {
	ctx, cancel := context.WithCancel(context.Background())
	s := &signals{cancel: cancel, stop: make(chan os.Signal, 1), pipe: make(chan os.Signal, 1)}
	// Go ends a process that writes to a closed standard output; being notified
	// turns that into an error of the write. It is not ignored, because started
	// programs would inherit that.
	signal.Notify(s.pipe, syscall.SIGPIPE)
	signal.Notify(s.stop, os.Interrupt, syscall.SIGTERM)
	go func() {
		got, ok := <-s.stop
		if !ok {
			return
		}
		if n, ok := got.(syscall.Signal); ok {
			s.number.Store(int32(n))
		}
		signal.Stop(s.stop)
		cancel()
	}()
	return ctx, s
}

// got returns the number of the signal that came, or 0.
func (s *signals) got() int { return int(s.number.Load()) }

func (s *signals) release() {
	signal.Stop(s.stop)
	signal.Stop(s.pipe)
	close(s.stop)
	s.cancel()
}
