package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/config"
	"github.com/trainvet/trainvet/internal/plain"
	"github.com/trainvet/trainvet/internal/supervise"
)

func attachCommand() cli.Command {
	return cli.Command{
		Name:    "attach",
		Summary: "show a detached run until it ends, and supervise it again if nobody does",
		Args:    "[RUN]",
		Text: `RUN is an id as trainvet runs lists it, the beginning of one, or a run directory;
without it the newest run. Ctrl-C ends the showing, never the run.`,
		MaxArgs: 1,
		Exits: []cli.Exit{
			{Code: "any", Text: "the trainer's own; 128 + N where signal N ended it"},
			{Code: "2", Text: "usage or configuration"},
			{Code: "3", Text: "could not be done"},
			{Code: "125", Text: "how the trainer ended is not known"},
		},
		Run: runAttach,
	}
}

func runAttach(ctx context.Context, call *cli.Call) error {
	cfg, err := settings(call)
	if err != nil {
		return err
	}
	l, err := findRun(call, cfg)
	if err != nil {
		return err
	}
	if l.Home != "" {
		_, release := supervise.Locate(l.Home)
		defer release()
	}
	if l.State != supervise.Closed && l.State != supervise.Away {
		opt, err := runOptions(&cli.Call{Args: l.Argv, Config: call.Config}, cfg)
		if err != nil {
			return err
		}
		took, err := supervise.Adopt(l.Dir, opt)
		if err != nil {
			return cli.CouldNot("attach", err)
		}
		if took {
			fmt.Fprintf(call.Stderr, "trainvet: run %s had no supervisor; it has one again\n", plain.Line(l.ID, maxRunLine))
		}
	}
	err = supervise.View(ctx, l.Dir, call.Stdout)
	if errors.Is(err, context.Canceled) {
		fmt.Fprintf(call.Stderr, "trainvet: the run goes on\n")
		return nil
	}
	if err != nil {
		return cli.CouldNot("attach", err)
	}
	return tellEnd(ctx, call, cfg, l.Dir)
}

// tellEnd prints the five lines of a run that has ended.
func tellEnd(ctx context.Context, call *cli.Call, cfg *config.Config, dir string) error {
	has := awaitReceipt(ctx, dir)
	dir, err := supervise.Settle(dir)
	if err != nil {
		fmt.Fprintf(call.Stderr, "trainvet: %s\n", plain.Line(err.Error(), maxRunLine))
	}
	out, err := supervise.ReadOutcome(dir)
	if err != nil {
		return cli.CouldNot("attach", err)
	}
	res, _, err := judgeRun(ctx, call, cfg, dir)
	if err != nil {
		return cli.CouldNot("attach", err)
	}
	if !has { // who was to write it was killed behind the end of the run, or vouches for nothing
		if err := writeReceipt(dir, res); err != nil {
			fmt.Fprintf(call.Stderr, "trainvet: %s\n", plain.Line(err.Error(), maxRunLine))
		}
	}
	if !call.Quiet {
		fiveLines(call.Stderr, out, res)
	}
	switch {
	case out.Signal != 0:
		return cli.Outcome(128 + int(out.Signal))
	case !out.Known:
		return cli.Outcome(supervise.CodeOwn)
	}
	return cli.Outcome(out.Code)
}

// awaitReceipt gives the supervisor the time to write its receipt, and reports
// whether there is one; a run below captured has none.
func awaitReceipt(ctx context.Context, dir string) bool {
	for range 20 {
		l, err := supervise.ReadListed(dir)
		if err != nil || ctx.Err() != nil {
			return false
		}
		if l.Headline != nil {
			return true
		}
		time.Sleep(20 * time.Millisecond)
	}
	return false
}

// findRun finds the run that the argument names.
func findRun(call *cli.Call, cfg *config.Config) (*supervise.Listed, error) {
	name := ""
	if len(call.Args) > 0 {
		name = call.Args[0]
	}
	l, err := supervise.Find(cfg.String("run.dir"), name)
	switch {
	case errors.Is(err, supervise.ErrNoRun) && name == "":
		return nil, cli.Usage("no run is recorded in %s", cfg.String("run.dir")).With("trainvet run -- COMMAND records one; one that lies elsewhere is named by its folder")
	case errors.Is(err, supervise.ErrNoRun):
		return nil, cli.Usage("%w", err).With("trainvet runs lists them")
	case err != nil:
		return nil, cli.CouldNot("finding the run", err)
	case l.State == supervise.Away && !l.Here:
		return nil, cli.CouldNot("finding the run", fmt.Errorf("run %s was started on %s and its record lies there, in %s: it comes home when the run ends; trainvet attach does it there when nobody has", l.ID, l.Host, l.Dir))
	}
	return l, nil
}
