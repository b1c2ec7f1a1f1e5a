package main

import (
	"context"
	"fmt"

	"github.com/trainvet/trainvet/analyzers/ledger"
	"github.com/trainvet/trainvet/internal/cli"
)

func ledgerBaseline(scan scanning) cli.Command {
	return cli.Command{
		Name:    "baseline",
		Summary: "put on record as debt, until a day, what fails today",
		Args:    "--until DATE",
		Text: fmt.Sprintf(`For the first day with a tree that is not guarded yet: what fails gets a row that
exempts it until DATE, at most %d days from now, and every run prints what is left.
A second baseline is refused.`, ledger.MaxBaselineDays),
		Formats: []string{"text", "json"},
		Flags:   []cli.Flag{tagsFlag, {Name: "until", Kind: cli.Text, Value: "DATE", Help: "last day of the debt, as 2027-06-30"}},
		Run: func(ctx context.Context, call *cli.Call) error {
			if err := mayWrite("baseline"); err != nil {
				return err
			}
			if call.Text("until") == "" {
				return cli.Usage("ledger baseline: --until DATE is needed")
			}
			b, err := openBook(ctx, call, scan)
			if err != nil {
				return err
			}
			next, err := ledger.Baseline(b.Ledger, &b.Scan, b.opt, call.Text("until"))
			if err != nil {
				return ledgerError(err)
			}
			return b.write(next)
		},
	}
}
