package main

import (
	"bytes"
	"context"

	"github.com/trainvet/trainvet/analyzers/ledger"
	"github.com/trainvet/trainvet/internal/cli"
)

func ledgerUpdate(scan scanning) cli.Command {
	return cli.Command{
		Name:    "update",
		Summary: "bring the rows up to date; nothing that fails passes by it",
		Text: `Rows are added for guarded and counted sites, follow calls that moved, say their
state anew, and go when the site is gone (only if the whole tree was analysed).
Exemptions stay as they are written.`,
		Formats: []string{"text", "json"},
		Flags:   []cli.Flag{tagsFlag, {Name: "check", Help: "write nothing, and say what would be written"}},
		Exits:   cli.Exits("done", "with --check: there is something to write", ""),
		Run: func(ctx context.Context, call *cli.Call) error {
			if !call.Switch("check") {
				if err := mayWrite("update"); err != nil {
					return err
				}
			}
			b, err := openBook(ctx, call, scan)
			if err != nil {
				return err
			}
			next := ledger.Update(b.Ledger, &b.Scan, b.opt)
			if call.Switch("check") {
				return b.check(next)
			}
			return b.write(next)
		},
	}
}

// check says what an update would write.
func (b *book) check(next ledger.Ledger) error {
	before := ledger.Ledger{}
	if b.Ledger != nil {
		before = *b.Ledger
	}
	if bytes.Equal(before.Format(), next.Format()) {
		return b.left()
	}
	if err := printChanges(b.call, ledger.Diff(before, next)); err != nil {
		return err
	}
	return cli.Outcome(cli.CodeFound)
}
