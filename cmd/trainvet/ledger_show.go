package main

import (
	"context"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/report"
)

func ledgerShow(scan scanning) cli.Command {
	return cli.Command{
		Name:    "show",
		Summary: "say all of a site: its guard, and each handler between the guard and the top of the run",
		Args:    "SITE",
		MinArgs: 1, MaxArgs: 1,
		Formats: []string{"text", "json"},
		Flags:   []cli.Flag{tagsFlag},
		Run: func(ctx context.Context, call *cli.Call) error {
			b, err := openBook(ctx, call, scan)
			if err != nil {
				return err
			}
			j := b.judge()
			a, err := b.find(&j, call.Args[0])
			if err != nil {
				return err
			}
			s := report.NewLedgerSite(&j, a)
			if call.Format == "json" {
				err = s.JSON(call.Stdout)
			} else {
				err = s.Text(call.Stdout, report.Options{Color: call.Color, Width: call.Width})
			}
			if err != nil {
				return cli.CouldNot("", err)
			}
			return nil
		},
	}
}
