package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/trainvet/trainvet/logscan/verdict"
)

// Printer writes a result in one format.
type Printer interface {
	Result(w io.Writer, r *verdict.Result) error
}

// Remedy gives a reason's standing text and what to do about it. Empty strings
// where the code is not known.
type Remedy func(code string) (text, do string)

// Options of the text printer. The zero value prints plain, unwrapped text.
type Options struct {
	Color   bool // ANSI colours on the verdict words
	Width   int  // columns to wrap at; 0: do not wrap
	Verbose bool // show everything: all evidence, all names, the sources
	Quiet   bool // only the headline lines
	Remedy  Remedy
}

// Format is a way to print a result.
type Format struct {
	Name  string
	About string
	New   func(Options) Printer
}

// Formats lists every format; the first is the default.
func Formats() []Format {
	return []Format{
		{"text", "for people: verdict, evidence, what to do", Text},
		{"json", "the whole result, versioned (see docs/schema)", func(Options) Printer { return JSON() }},
	}
}

// UnknownFormatError says which formats there are.
type UnknownFormatError struct {
	Name  string
	Known []string
}

func (e *UnknownFormatError) Error() string {
	return fmt.Sprintf("no format %q: choose one of %s", e.Name, strings.Join(e.Known, ", "))
}

// New returns the printer of a format. The empty name is the default format;
// an unknown one gives an [UnknownFormatError].
func New(format string, o Options) (Printer, error) {
	var known []string
	for i, f := range Formats() {
		if f.Name == format || format == "" && i == 0 {
			return f.New(o), nil
		}
		known = append(known, f.Name)
	}
	return nil, &UnknownFormatError{Name: format, Known: known}
}
