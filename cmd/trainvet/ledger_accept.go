package main

import (
	"context"

	"github.com/trainvet/trainvet/analyzers/ledger"
	"github.com/trainvet/trainvet/analyzers/site"
	"github.com/trainvet/trainvet/internal/cli"
)

func ledgerAccept(scan scanning) cli.Command {
	return cli.Command{
		Name:    "accept",
		Summary: "let an exemption hold again whose call has changed, after reading it",
		Args:    "SITE",
		MinArgs: 1, MaxArgs: 1,
		Formats: []string{"text", "json"},
		Flags:   []cli.Flag{tagsFlag, {Name: "by", Kind: cli.Text, Value: "NAME", Help: "who has read it"}},
		Run: func(ctx context.Context, call *cli.Call) error {
			return editOne(ctx, call, scan, "accept", func(b *book, k ledger.Key) (ledger.Ledger, error) {
				return ledger.Accept(b.Ledger, &b.Scan, b.opt, k, call.Text("by"))
			})
		},
	}
}

// editOne finds the site of the first argument, edits and writes.
func editOne(ctx context.Context, call *cli.Call, scan scanning, name string, edit func(*book, ledger.Key) (ledger.Ledger, error)) error {
	if err := mayWrite(name); err != nil {
		return err
	}
	b, err := openBook(ctx, call, scan)
	if err != nil {
		return err
	}
	j := b.judge()
	a, err := b.find(&j, call.Args[0])
	if err != nil {
		return err
	}
	next, err := edit(b, keyOf(&a.Site))
	if err != nil {
		return ledgerError(err)
	}
	return b.write(next)
}

func keyOf(s *site.Site) ledger.Key { return ledger.Key{Kind: s.Kind, ID: s.ID, Shape: s.Shape} }
