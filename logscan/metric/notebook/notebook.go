// Package notebook streams what the cells of a Jupyter notebook printed, so
// that it can be audited as console text.
//
// Outputs come in the order of the file, each string of the file on its own
// with its place. That is the order of execution only as long as the execution
// counts rise: cells can be run again in any order. A count that was there
// before shows a new kernel, that is a new process; a count that falls without
// repeating shows cells run out of the order of the page. Pictures, HTML and
// sources are read over and never held.
package notebook

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/trainvet/trainvet/logscan/metric/tolerant"
)

// Output is one string of one output.
type Output struct {
	Offset int64 // of the string in the file
	End    int64
	Line   int64

	Cell   int // from 0, code cells and others counted
	Index  int // of the output in its cell, from 0
	Count  int // execution count of the cell; 0: not said
	Kernel int // from 0: rises where a new kernel is proven
	// Backward: the cell was run before one that stands above it.
	Backward bool
	// Start is when the cell was run, if its metadata says so.
	Start time.Time

	Stream string // out, err; result: the value of the cell; traceback
	// Text as printed, escape sequences included. The strings of one output
	// follow one another without anything between; an error's and a result's
	// last one ends with a line end.
	Text string
	// First and Last string of their output.
	First bool
	Last  bool
	// Cut: the string is longer than 4 MiB, and its rest was not taken.
	Cut bool
}

// NotNotebookError says that a file is JSON but no notebook.
type NotNotebookError struct{ What string }

func (e *NotNotebookError) Error() string { return "no notebook: " + e.What }

const (
	maxText   = 4 << 20  // of one string; longer ones lose their rest
	maxHeld   = 16 << 20 // text of one cell that is held until its count is known
	maxCounts = 1 << 20
)

// Each calls fn for every string that a cell printed. On an error of the input
// everything before it was handed over.
func Each(r io.Reader, fn func(Output) error) error {
	n := &reader{
		json:   tolerant.NewReader(r, tolerant.Limits{Token: maxText, CutStrings: true}),
		fn:     fn,
		counts: make(map[int]struct{}),
	}
	err := n.top()
	if err == nil {
		return nil
	}
	if flushed := n.flush(); flushed != nil {
		return flushed
	}
	if errors.Is(err, io.EOF) {
		err = &NotNotebookError{What: "the file is empty"}
	}
	return fmt.Errorf("reading a notebook: %w", err)
}

type reader struct {
	json *tolerant.Reader
	fn   func(Output) error

	cells  bool // the list of cells was there
	cell   cell
	index  int // of the next cell
	kernel int
	last   int // highest count of the kernel so far
	counts map[int]struct{}
}

func (n *reader) top() error {
	tok, err := n.json.Next()
	if err != nil {
		return err
	}
	if tok.Kind != tolerant.Object {
		return &NotNotebookError{What: "the file holds no object"}
	}
	if err := n.members(n.topMember); err != nil {
		return err
	}
	if !n.cells {
		return &NotNotebookError{What: "it has no cells"}
	}
	if _, err := n.json.Next(); !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

func (n *reader) topMember(key string, tok tolerant.Token) error {
	switch {
	case key == "cells" && tok.Kind == tolerant.Array:
		n.cells = true
		return n.items(n.cellItem)
	case key == "worksheets" && tok.Kind == tolerant.Array: // version 3
		return n.items(func(tok tolerant.Token) error {
			if tok.Kind != tolerant.Object {
				return n.drop(tok)
			}
			return n.members(n.topMember)
		})
	}
	return n.drop(tok)
}

// members calls each for every member of the object that was just opened,
// with the first token of its value.
func (n *reader) members(each func(key string, tok tolerant.Token) error) error {
	for {
		tok, err := n.json.Next()
		if err != nil {
			return err
		}
		if tok.Kind == tolerant.ObjectEnd {
			return nil
		}
		key := string(tok.Text)
		// Only what can be kept is decoded: a picture is a string of megabytes.
		if !wanted(key) {
			if err := n.json.Skip(); err != nil {
				return err
			}
			continue
		}
		if tok, err = n.json.Next(); err != nil {
			return err
		}
		if err := each(key, tok); err != nil {
			return err
		}
	}
}

func (n *reader) items(each func(tolerant.Token) error) error {
	for {
		tok, err := n.json.Next()
		if err != nil {
			return err
		}
		if tok.Kind == tolerant.ArrayEnd {
			return nil
		}
		if err := each(tok); err != nil {
			return err
		}
	}
}

// drop reads over the value that tok begins.
func (n *reader) drop(tok tolerant.Token) error {
	if tok.Kind == tolerant.Object || tok.Kind == tolerant.Array {
		return n.json.SkipRest()
	}
	return nil
}

func wanted(key string) bool {
	switch key {
	case "cells", "worksheets", "cell_type", "execution_count", "prompt_number", "outputs", "metadata",
		"execution", "papermill", "iopub.execute_input", "iopub.status.busy", "start_time",
		"output_type", "name", "stream", "text", "data", "text/plain", "traceback":
		return true
	}
	return false
}
