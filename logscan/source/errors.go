package source

import (
	"fmt"
	"strings"
)

// Truncated says that a source ends in the middle: its compressed data are cut,
// or the file became shorter while it was read. What came before was handed
// out.
type Truncated struct {
	Path string
	At   int64 // decoded bytes
	Err  error
}

func (e *Truncated) Error() string {
	return fmt.Sprintf("%s: ends in the middle, behind %d bytes of text: %v", e.Path, e.At, e.Err)
}

func (e *Truncated) Unwrap() error { return e.Err }

// Corrupt says that a compressed source is damaged: what came before was
// handed out.
type Corrupt struct {
	Path string
	At   int64 // decoded bytes
	Err  error
}

func (e *Corrupt) Error() string {
	return fmt.Sprintf("%s: compressed data are damaged behind %d bytes of text: %v", e.Path, e.At, e.Err)
}

func (e *Corrupt) Unwrap() error { return e.Err }

// Bomb says that a compressed source unfolds to more than a log can be, or
// asks for more memory than is given: what came before was handed out.
type Bomb struct {
	Path    string
	In, Out int64 // compressed and decoded bytes so far
	Why     string
}

func (e *Bomb) Error() string {
	return fmt.Sprintf("%s: reading stopped behind %d bytes, unfolded from %d: %s", e.Path, e.Out, e.In, e.Why)
}

// ManyJobs says that a folder holds the sources of several jobs.
type ManyJobs struct {
	Path string
	Jobs []string
}

func (e *ManyJobs) Error() string {
	const shown = 10
	jobs, more := e.Jobs, ""
	if len(jobs) > shown {
		jobs, more = jobs[:shown], fmt.Sprintf(" and %d more", len(e.Jobs)-shown)
	}
	return fmt.Sprintf("%s holds %d jobs (%s%s): name one of them, or use --each to judge each on its own",
		e.Path, len(e.Jobs), strings.Join(jobs, ", "), more)
}

// BadPattern says that Options.Ranks or Options.Hosts cannot be understood.
type BadPattern struct {
	Option, Pattern, Want string
}

func (e *BadPattern) Error() string {
	return fmt.Sprintf("--%s %q: a pattern needs %s, as in %q", e.Option, e.Pattern, e.Want, "log_"+e.Want+".txt")
}
