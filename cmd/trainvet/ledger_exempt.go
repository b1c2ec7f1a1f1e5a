package main

import (
	"context"

	"github.com/trainvet/trainvet/analyzers/ledger"
	"github.com/trainvet/trainvet/internal/cli"
)

func ledgerExempt(scan scanning) cli.Command {
	return cli.Command{
		Name:    "exempt",
		Summary: "write down why a site needs no guard, or a handler may keep a fault",
		Args:    "SITE --reason TEXT",
		MinArgs: 1, MaxArgs: 1,
		Formats: []string{"text", "json"},
		Flags: []cli.Flag{
			tagsFlag,
			{Name: "reason", Kind: cli.Text, Value: "TEXT", Help: "why the site is safe, for the next reader"},
			{Name: "until", Kind: cli.Text, Value: "DATE", Help: "last day that it holds, as 2027-06-30"},
			{Name: "rule", Kind: cli.List, Value: "CODE", Help: "rule that it exempts from (repeatable); without it the site's own, or all that complain of a handler"},
			{Name: "by", Kind: cli.Text, Value: "NAME", Help: "who says so"},
		},
		Run: func(ctx context.Context, call *cli.Call) error {
			return editOne(ctx, call, scan, "exempt", func(b *book, k ledger.Key) (ledger.Ledger, error) {
				return ledger.Exempt(b.Ledger, &b.Scan, b.opt, k, ledger.Exemption{
					Reason: call.Text("reason"), Until: call.Text("until"), Rules: call.List("rule"), By: call.Text("by"),
				})
			})
		},
	}
}
