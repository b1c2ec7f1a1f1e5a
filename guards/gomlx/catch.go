package gomlxguard

import (
	"fmt"
	"runtime/debug"
)

// GraphError is a panic that came out of GoMLX, which panics where it builds a
// graph: a shape that does not fit, a variable that is missing. It says nothing
// about the machine.
type GraphError struct {
	Doing string // training, evaluating
	Cause error
	Stack []byte
}

// Error says what was being done, and the cause.
func (e *GraphError) Error() string { return e.Doing + ": building the graph: " + e.Cause.Error() }

// Unwrap is the cause.
func (e *GraphError) Unwrap() error { return e.Cause }

// Catch calls f and makes an error of a panic: a *guards.Fault stays one, as
// under the policy Panic, anything else becomes a [*GraphError]. It catches
// what panics in this goroutine.
func Catch(doing string, f func() error) (err error) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		cause, ok := p.(error)
		if !ok {
			cause = fmt.Errorf("%v", p)
		}
		if isGuards(cause) {
			err = fmt.Errorf("%s: %w", doing, cause)
			return
		}
		err = &GraphError{Doing: doing, Cause: cause, Stack: debug.Stack()}
	}()
	return f()
}
