package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/plain"
	"github.com/trainvet/trainvet/internal/supervise"
)

// detachRun starts a run that goes on by itself, and says how to find it again.
func detachRun(ctx context.Context, call *cli.Call, opt supervise.Options) error {
	s, err := supervise.Prepare(ctx, opt)
	if err != nil {
		return notStarted(call.Stderr, err)
	}
	pid, err := s.Detach()
	if err != nil {
		return notStarted(call.Stderr, err)
	}
	name := s.ID()
	if opt.Dir != "" {
		name = opt.Dir // the id is known where all runs lie alone
	}
	if _, err := fmt.Fprintln(call.Stdout, name); err != nil {
		return cli.CouldNot("printing the id of the run", err)
	}
	if !call.Quiet {
		word := shellWord(name)
		fmt.Fprintf(call.Stderr, "trainvet: process %d runs by itself; trainvet attach %s shows it, trainvet stop %s ends it\n", pid, word, word)
	}
	return nil
}

// playRole is what trainvet does when it has started itself, as supervisor or
// keeper of a detached run. Nobody waits for the exit code.
func playRole(role string, args []string) int {
	dir, opt, err := supervise.ReadOptions(args)
	if err == nil && role == "keeper" {
		err = supervise.Keep(dir, opt)
	} else if err == nil {
		err = superviseDetached(dir, opt)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "trainvet: %s\n", plain.Line(err.Error(), maxRunLine))
		return supervise.CodeOwn
	}
	return cli.CodeOK
}

// superviseDetached is a run without a terminal: what it has to say goes into
// the run directory until that is closed, and the verdict into the receipt.
func superviseDetached(dir string, opt supervise.Options) error {
	call := &cli.Call{Config: opt.Config, Quiet: true, Stdout: io.Discard, Stderr: io.Discard}
	cfg, err := settings(call)
	if err != nil {
		return err
	}
	if opt.Faults, err = newFaultSearch(call, cfg); err != nil {
		return err
	}
	out, err := supervise.Supervise(dir, opt)
	if err != nil {
		return err
	}
	closeRun(context.Background(), call, cfg, out)
	return nil
}
