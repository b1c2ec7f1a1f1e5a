package main

import (
	"context"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/report"
)

func ledgerStats(scan scanning) cli.Command {
	return cli.Command{
		Name:    "stats",
		Summary: "count the sites by kind, state and origin",
		Formats: []string{"text", "json"},
		Flags:   []cli.Flag{tagsFlag},
		Run: func(ctx context.Context, call *cli.Call) error {
			b, err := openBook(ctx, call, scan)
			if err != nil {
				return err
			}
			j := b.judge()
			if call.Format == "json" {
				err = report.LedgerStatsJSON(call.Stdout, j.Stats(b.Ledger))
			} else {
				err = report.LedgerStatsText(call.Stdout, j.Stats(b.Ledger), report.Options{Color: call.Color, Width: call.Width})
			}
			if err != nil {
				return cli.CouldNot("", err)
			}
			return nil
		},
	}
}
