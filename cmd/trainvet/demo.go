package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/demo"
)

func demoCommand() cli.Command {
	return cli.Command{
		Name:    "demo",
		Summary: "write a small recorded run and audit it",
		Text: `The run is one whose GPU gave up at step 340 and which went on printing numbers.
The code is that of audit.`,
		Formats: formatNames(),
		Flags: []cli.Flag{
			{Name: "dir", Kind: cli.Text, Value: "FOLDER", Help: "write the run to FOLDER, which must not exist, and keep it"},
		},
		Exits: cli.Exits("the audit was made, whatever it found", "", ""),
		Run:   runDemo,
	}
}

func runDemo(ctx context.Context, call *cli.Call) (err error) {
	dir := call.Text("dir")
	if dir == "" {
		temp, err := os.MkdirTemp("", "trainvet-")
		if err != nil {
			return cli.CouldNot("making a temporary folder", err)
		}
		defer os.RemoveAll(temp)
		dir = filepath.Join(temp, "demo")
	}
	if err := demo.Write(dir, demo.Log()); err != nil {
		return cli.CouldNot("writing the recorded run", err)
	}
	cfg, err := settings(call)
	if err != nil {
		return err
	}
	opt, err := auditOptions(call, cfg)
	if err != nil {
		return err
	}
	err = audit(ctx, call, cfg, []string{dir}, opt)
	return tell(call, err)
}

// tell turns the outcome of the audit into a remark: the demo did what it is
// for, whatever the audit found.
func tell(call *cli.Call, err error) error {
	var found *cli.OutcomeError
	code := cli.CodeOK
	if errors.As(err, &found) {
		code = found.Code
	}
	if err != nil && found == nil || code == cli.CodeCouldNot {
		return err
	}
	if !call.Quiet {
		fmt.Fprintf(call.Stderr, "\nthis was the demo; the same audit by hand, with exit code %d:\n"+
			"  trainvet demo --dir %s && trainvet audit %s\n", code, "demo-run", "demo-run")
	}
	return nil
}
