package driver

import (
	"errors"

	"github.com/trainvet/trainvet/analyzers/site"
)

// Options say what to analyse. Tool is required.
type Options struct {
	Dir      string   // absolute; the patterns start from it
	Patterns []string // folders, folders with /..., or import paths; none: ./...
	TagSets  []string // comma lists of build tags, one run each; none: one run without tags
	Tool     string   // program that answers as a vet tool of unit's analyzers
	Go       string   // the go command; empty: the go of PATH
	Env      []string // of the go command; nil: that of the process
	// Names reports whether a call of this name may be a site; it is asked of
	// packages that cannot be analysed. Nil: any may.
	Names func(string) bool
}

// Result is what all units said. Files have full names, slash separated.
type Result struct {
	Sites    []site.Site
	Findings []site.Finding
	Ignores  []site.Ignore
	Units    []site.Unit
	Modules  []string // folders of the modules that were analysed
	// Excluded are Go files that no set of tags selects.
	Excluded []string
	Possible []Possible // in packages and files that were not analysed
}

// Possible is a call in a package or file that was not analysed and that may be
// a site.
type Possible struct {
	Unit string // empty: the file is an excluded one
	At   site.Position
	Name string // as it is called; empty: the file cannot be read as Go
}

// ErrNoGo says that there is no go command to analyse with.
var ErrNoGo = errors.New("the go command is not there: Go packages are analysed with it; install Go 1.24 or later, or add it to PATH")

// PatternError is a pattern that names nothing which could be analysed.
type PatternError struct{ Pattern, Text string }

func (e *PatternError) Error() string { return e.Pattern + ": " + e.Text }
