package main

import (
	"context"

	"github.com/trainvet/trainvet/analyzers"
	"github.com/trainvet/trainvet/analyzers/ledger"
	"github.com/trainvet/trainvet/analyzers/ledger/since"
	"github.com/trainvet/trainvet/internal/cli"
)

func ledgerDiff() cli.Command {
	return cli.Command{
		Name:    "diff",
		Summary: "say what changed against the ledger of a git revision",
		Args:    "[REV]",
		Text:    "REV is HEAD by default. A call that moved is one change.",
		MaxArgs: 1,
		Formats: []string{"text", "json"},
		Run:     runLedgerDiff,
	}
}

func runLedgerDiff(ctx context.Context, call *cli.Call) error {
	rev := "HEAD"
	if len(call.Args) > 0 {
		rev = call.Args[0]
	}
	root, err := ledgerRoot()
	if err != nil {
		return err
	}
	now, err := analyzers.ReadLedger(root)
	if err != nil {
		return ledgerError(err)
	}
	if now == nil {
		now = &ledger.Ledger{}
	}
	text, _, err := since.File(ctx, root, rev, ledger.FileName)
	if err != nil {
		return ledgerError(err)
	}
	then, err := ledger.Parse(rev+":"+ledger.FileName, text)
	if err != nil {
		return ledgerError(err)
	}
	return printChanges(call, ledger.Diff(then, *now))
}
