package report

import (
	"fmt"
	"io"

	"github.com/trainvet/trainvet/analyzers/ledger"
)

// LedgerChanges writes what differs between two ledgers: a sign, the row as it
// is or was, and for a pair what it was before.
func LedgerChanges(w io.Writer, list []ledger.Change, o Options) error {
	p := &page{o: o}
	for _, c := range list {
		sign, row := "+", c.After
		switch {
		case c.After == nil:
			sign, row = "-", c.Before
		case c.Before != nil:
			sign = "~"
		}
		p.emit(0, sign+" "+row.String())
		if c.Before != nil && c.After != nil {
			p.emit(2, "was "+c.Before.String())
		}
	}
	if _, err := w.Write(p.b.Bytes()); err != nil {
		return fmt.Errorf("writing the changes: %w", err)
	}
	return nil
}

// LedgerChange is one change for programs.
type LedgerChange struct {
	Before string     `json:"before,omitempty"`
	After  string     `json:"after,omitempty"`
	How    ledger.How `json:"matched,omitempty"`
}

// LedgerChangesJSON writes the changes for programs.
func LedgerChangesJSON(w io.Writer, list []ledger.Change) error {
	out := []LedgerChange{}
	for _, c := range list {
		one := LedgerChange{How: c.How}
		if c.Before != nil {
			one.Before = c.Before.String()
		}
		if c.After != nil {
			one.After = c.After.String()
		}
		out = append(out, one)
	}
	return writeJSON(w, out)
}
