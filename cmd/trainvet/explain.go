package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/explain"
	"github.com/trainvet/trainvet/internal/plain"
	"github.com/trainvet/trainvet/internal/report"
)

func explainCommand() cli.Command {
	return cli.Command{
		Name:    "explain",
		Summary: "say what a code of a report means and what to do about it",
		Args:    "CODE...",
		Text: `CODE is a reason (look-back), a marker (mtl-cb-aborted), an NVIDIA Xid (xid-79),
a verdict (POISONED), a level of assurance (captured), a rule of trainvet vet
(TV101) or a key of the configuration (audit.skips.share). Without CODE all of
them are listed.`,
		MaxArgs: -1,
		Run:     runExplain,
	}
}

func runExplain(_ context.Context, call *cli.Call) error {
	cfg, err := settings(call)
	if err != nil {
		return err
	}
	markers, err := rowsOf(cfg).check()
	if err != nil {
		return err
	}
	shelves, err := explain.Shelves(markers, cfg)
	if err != nil {
		return cli.CouldNot("loading the catalogues", err)
	}
	if len(call.Args) == 0 {
		return listCodes(call, shelves)
	}
	for i, code := range call.Args {
		if err := explainOne(call, shelves, code, i > 0); err != nil {
			return err
		}
	}
	return nil
}

func explainOne(call *cli.Call, shelves []explain.Shelf, code string, apart bool) error {
	entries, err := explain.Find(shelves, code)
	var unknown *explain.UnknownError
	if errors.As(err, &unknown) {
		wrong := cli.Usage("explain: %w", err)
		if unknown.Near != "" {
			return wrong.With("did you mean " + unknown.Near + "?")
		}
		return wrong.With(`"trainvet explain" lists all codes`)
	}
	for _, e := range entries {
		if apart {
			fmt.Fprintln(call.Stdout)
		}
		apart = true
		if err := report.Explain(call.Stdout, e, report.Options{Color: call.Color, Width: call.Width}); err != nil {
			return cli.CouldNot("", err)
		}
	}
	return nil
}

func listCodes(call *cli.Call, shelves []explain.Shelf) error {
	for i, s := range shelves {
		if i > 0 {
			fmt.Fprintln(call.Stdout)
		}
		fmt.Fprintf(call.Stdout, "%s:\n", s.Name())
		for _, code := range s.Codes() {
			fmt.Fprintf(call.Stdout, "  %s\n", plain.Line(code, 100))
		}
	}
	return nil
}
