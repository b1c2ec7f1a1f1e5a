package main

import (
	"context"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/config"
	"github.com/trainvet/trainvet/logscan"
	"github.com/trainvet/trainvet/logscan/curve"
	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// addQuality puts what the curves say below the verdicts, which it never
// changes, and what only a comparison with a known-good run can show.
func addQuality(ctx context.Context, call *cli.Call, cfg *config.Config, res *verdict.Result, ev *evidence.Evidence) error {
	th, err := quality(cfg)
	if err != nil {
		return err
	}
	found, skipped := curve.Find(ev, th)
	res.Quality, res.Skipped = append(res.Quality, found...), append(res.Skipped, skipped...)
	name := call.Text("baseline")
	if name == "" {
		return nil
	}
	opt, err := auditOptions(call, cfg)
	if err != nil {
		return err
	}
	good, err := logscan.Scan(ctx, []string{name}, call.Stdin, opt)
	if err != nil {
		return auditError(err)
	}
	found, skipped = curve.Compare(ev, good, th)
	res.Quality, res.Skipped = append(res.Quality, found...), append(res.Skipped, skipped...)
	return nil
}
