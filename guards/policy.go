package guards

import "fmt"

// Policy says what a check does once a fault or finding is recorded. Recording
// comes first under each: a handler that eats the error cannot eat the record.
type Policy int32

const (
	// Return hands the fault or finding to the caller as an error. The default.
	Return Policy = iota
	// Record hands the caller nil: the run goes on, its metrics are tainted, and
	// Run.Err and Run.Close still tell.
	Record
	// Panic panics with the *Fault, for trainers whose error paths are not to be
	// trusted. A finding is returned all the same: a bad model is no reason to
	// end a process.
	Panic
)

// String is the word for a policy.
func (p Policy) String() string {
	switch p {
	case Return:
		return "return"
	case Record:
		return "record"
	case Panic:
		return "panic"
	}
	return fmt.Sprintf("Policy(%d)", int32(p))
}

func (p Policy) fault(f *Fault) error {
	switch p {
	case Record:
		return nil
	case Panic:
		panic(f)
	}
	return f
}

func (p Policy) finding(f *Finding) error {
	if p == Record {
		return nil
	}
	return f
}
