package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/trainvet/trainvet/analyzers/ledger"
	"github.com/trainvet/trainvet/internal/cli"
)

func ledgerFmt() cli.Command {
	return cli.Command{
		Name:    "fmt",
		Summary: "sort the ledger and take each row once, after a merge",
		Args:    "[FILE]",
		Text:    "Two rows that say different things of one site are reported, and nothing is written.",
		MaxArgs: 1,
		Flags:   []cli.Flag{{Name: "check", Help: "write nothing, and say whether the file would change"}},
		Exits:   cli.Exits("done", "with --check: the file would change", ""),
		Run:     runLedgerFmt,
	}
}

func runLedgerFmt(_ context.Context, call *cli.Call) error {
	if !call.Switch("check") {
		if err := mayWrite("fmt"); err != nil {
			return err
		}
	}
	name := ""
	if len(call.Args) > 0 {
		name = call.Args[0]
	} else {
		root, err := ledgerRoot()
		if err != nil {
			return err
		}
		name = filepath.Join(root, ledger.FileName)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return cli.CouldNot("reading the ledger", err)
	}
	l, err := ledger.Parse(filepath.Base(name), text)
	if err != nil {
		return ledgerError(err)
	}
	formatted := l.Format()
	switch {
	case bytes.Equal(text, formatted):
		return nil
	case call.Switch("check"):
		fmt.Fprintf(call.Stdout, "%s is not as trainvet ledger fmt writes it\n", ledger.FileName)
		return cli.Outcome(cli.CodeFound)
	}
	err = call.WriteFile(name, func(w io.Writer) error {
		_, err := w.Write(formatted)
		return err
	})
	if err != nil {
		return cli.CouldNot("", err)
	}
	return nil
}
