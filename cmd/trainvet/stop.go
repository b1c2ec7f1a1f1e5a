package main

import (
	"context"
	"fmt"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/plain"
	"github.com/trainvet/trainvet/internal/supervise"
)

func stopCommand() cli.Command {
	return cli.Command{
		Name:    "stop",
		Summary: "ask the trainer of a run to end, and kill it when it does not",
		Args:    "[RUN]",
		Text: `RUN is an id as trainvet runs lists it, the beginning of one, or a run directory;
without it the newest run. SIGTERM goes to the trainer's process group, SIGKILL
after the grace.`,
		MaxArgs: 1,
		Flags: []cli.Flag{
			{Name: "grace", Kind: cli.Period, Value: "TIME", Help: "time between the two (30s)"},
		},
		Run: runStop,
	}
}

func runStop(ctx context.Context, call *cli.Call) error {
	cfg, err := settings(call)
	if err != nil {
		return err
	}
	l, err := findRun(call, cfg)
	if err != nil {
		return err
	}
	if l.State == supervise.Closed || l.State == supervise.Open || l.State == supervise.Away {
		fmt.Fprintf(call.Stderr, "trainvet: run %s has ended already\n", plain.Line(l.ID, maxRunLine))
		return nil
	}
	grace := cfg.Duration("run.grace")
	if call.Given("grace") {
		grace = call.Period("grace")
	}
	killed, err := supervise.StopRun(ctx, l.Dir, grace)
	if err != nil {
		return cli.CouldNot("stop", err)
	}
	if !call.Quiet {
		how := "ended"
		if killed {
			how = "took no notice of SIGTERM and was killed"
		}
		fmt.Fprintf(call.Stderr, "trainvet: the trainer of run %s %s\n", plain.Line(l.ID, maxRunLine), how)
	}
	return nil
}
