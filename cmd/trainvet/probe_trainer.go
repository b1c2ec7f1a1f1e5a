package main

import (
	"context"
	"time"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/probe"
)

// probeTrainer asks a trainer for the probe that it carries: computations that
// it relies on, held against references of its own, each in a process of its own.
// What it finds is said and not kept: it is the trainer's word.
func probeTrainer(ctx context.Context, call *cli.Call) error {
	argv := call.Args[1:]
	if len(argv) > 0 && argv[0] == "--" {
		argv = argv[1:]
	}
	if len(argv) == 0 {
		return cli.Usage("probe go: the trainer is missing").With("trainvet probe go -- ./trainer")
	}
	cfg, err := settings(call)
	if err != nil {
		return err
	}
	check := cfg.Duration("probe.check_deadline")
	if call.Given("deadline") {
		check = call.Period("deadline")
	}
	if check <= 0 {
		return cli.Usage("probe: --deadline: it must be above 0")
	}
	report, err := probe.Trainer(ctx, probe.TrainerOptions{Argv: argv, Start: check, Check: check, Now: time.Now, Told: progress(call)})
	if err != nil {
		return cli.CouldNot("probe go", err)
	}
	if err := writeReport(call, report); err != nil {
		return err
	}
	return probeOutcome(report, call)
}
