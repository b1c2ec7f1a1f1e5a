package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/supervise"
	"github.com/trainvet/trainvet/probe"
)

// probeOverfit starts a trainer that gets its first samples alone, in a run that
// is thrown away, and says whether it learned them by heart.
func probeOverfit(ctx context.Context, call *cli.Call) error {
	argv := call.Args[1:]
	if len(argv) > 0 && argv[0] == "--" {
		argv = argv[1:]
	}
	if len(argv) == 0 {
		return cli.Usage("probe overfit: the trainer is missing").With("trainvet probe overfit -- python train.py")
	}
	cfg, err := settings(call)
	if err != nil {
		return err
	}
	runs, err := os.MkdirTemp("", "trainvet-overfit-*")
	if err != nil {
		return cli.CouldNot("probe overfit", err)
	}
	defer os.RemoveAll(runs)
	opt, err := runOptions(&cli.Call{Args: argv, Config: call.Config, Stdin: call.Stdin}, cfg)
	if err != nil {
		return err
	}
	opt.Dir, opt.Capture, opt.Mode, opt.State = filepath.Join(runs, "run"), supervise.CaptureHere, supervise.File, ""
	opt.Stderr = call.Stderr
	opt.Guards = append(opt.Guards, probe.EnvOverfit+"="+probe.Overfit{Samples: probe.OverfitSamples, Steps: probe.OverfitSteps}.Env())
	if !call.Quiet {
		opt.Stdout = call.Stderr // standard output carries the report
	}
	s, err := supervise.Prepare(ctx, opt)
	if err != nil {
		return notStarted(call.Stderr, err)
	}
	out, err := s.Run()
	if err != nil {
		return notStarted(call.Stderr, err)
	}
	report, err := probe.ReadOverfit(out.Dir)
	if err != nil {
		return cli.CouldNot("probe overfit", err)
	}
	if len(report.Processes) == 0 {
		return cli.CouldNot("probe overfit", fmt.Errorf("the trainer ended (%s) and no DataLoader of torch gave a batch, and no optimizer made a step: there is nothing to say", endingLine(out)))
	}
	if err := writeReport(call, report); err != nil {
		return err
	}
	if !report.Learned() {
		return cli.Outcome(cli.CodeFound)
	}
	return nil
}
