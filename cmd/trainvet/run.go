package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/config"
	"github.com/trainvet/trainvet/internal/machine"
	"github.com/trainvet/trainvet/internal/plain"
	"github.com/trainvet/trainvet/internal/supervise"
)

func runCommand() cli.Command {
	return cli.Command{
		Name:    "run",
		Summary: "start a trainer, record its output in one order, and say what its numbers are worth",
		Args:    "[--] COMMAND [ARG...]",
		Text: `COMMAND is started as it stands, without a shell; all behind it is its own.
Both streams go into one file, in the order in which they were written, and are
shown as they come. The exit code is COMMAND's. The verdict sets it only with
--fail-on. The record is a run directory, which trainvet audit reads.`,
		MinArgs: 1, MaxArgs: -1, Starts: true,
		Flags: []cli.Flag{
			{Name: "dir", Kind: cli.Text, Value: "FOLDER", Help: "run directory to make (.trainvet/runs/ID)"},
			{Name: "detach", Help: "let it run by itself; it survives the terminal, and only trainvet stop ends it"},
			{Name: "tty", Help: "give it a terminal of its own, for bars that need one"},
			{Name: "pipe", Help: "give it one pipe, for scripts that open /dev/stdout or /dev/stderr anew"},
			{Name: "file", Help: "let it write to the log itself, whatever speaks for one of the two"},
			{Name: "max-log", Kind: cli.Text, Value: "SIZE", Help: "give up the middle of a log that takes more than SIZE: 500MiB, 2GiB"},
			{Name: "on-fault", Kind: cli.Text, Value: "WHAT", Help: "at the first fault: warn, stop, or a shell command"},
			intentFlag(),
			drillFlag, traceFlags[0], traceFlags[1], collectivesFlag,
			{Name: "batch-cap", Kind: cli.Integer, Value: "N", Help: "bound the batches of torch's DataLoader, for the memory of a device: what was asked and what came of it is recorded"},
			{Name: "outputs", Kind: cli.List, Value: "FOLDER", Help: "where it leaves its output: files that change there are listed with their digests (repeatable)"},
			{Name: "fail-on", Kind: cli.Text, Value: "VERDICT", Words: failWords,
				Help: "exit as audit does when a claim is this or worse: poisoned, unproven, degraded; never (default, but in CI degraded)"},
		},
		Exits: []cli.Exit{
			{Code: "any", Text: "the trainer's own; 128 + N where signal N ended it"},
			{Code: "2", Text: "usage or configuration"},
			{Code: "125", Text: "it could not be started, or how it ended is not known"},
			{Code: "126, 127", Text: "the program cannot be executed; there is none"},
			{Code: "1, 3, 4", Text: "where it ended with 0: those of audit, as --fail-on asks; of --drill"},
		},
		Run: runRun,
	}
}

func runRun(ctx context.Context, call *cli.Call) error {
	cfg, err := settings(call)
	if err != nil {
		return err
	}
	opt, err := runOptions(call, cfg)
	if err != nil {
		return err
	}
	if call.Given("intent") {
		opt.Intent = intentOf(ctx, call)
		if !call.Quiet {
			fmt.Fprintln(call.Stderr, plain.Line(opt.Intent.Line, maxRunLine))
		}
	}
	for _, vars := range []func(*cli.Call) ([]string, error){drillVars, traceVars, collectivesVars} {
		list, err := vars(call)
		if err != nil {
			return err
		}
		opt.Guards = append(opt.Guards, list...)
	}
	if call.Switch("detach") {
		return detachRun(ctx, call, opt)
	}
	s, err := supervise.Prepare(ctx, opt)
	if err != nil {
		return notStarted(call.Stderr, err)
	}
	out, err := s.Run()
	if err != nil {
		return notStarted(call.Stderr, err)
	}
	if ctx.Err() != nil { // the interrupt was passed on, and is no reason to judge nothing
		ctx = context.WithoutCancel(ctx)
	}
	code := closeRun(ctx, call, cfg, out)
	switch {
	case call.Text("drill") != "":
		return drilled(call, out)
	case out.Signal != 0:
		supervise.Die(out.Signal)
		return cli.Outcome(128 + int(out.Signal))
	case out.Code != 0:
		return cli.Outcome(out.Code)
	case !out.Known:
		return cli.Outcome(supervise.CodeOwn)
	}
	return cli.Outcome(code)
}

// intentOf keeps what was asked beside what there is. A request that cannot be
// met is no reason not to run: the audit holds it against the speeds.
func intentOf(ctx context.Context, call *cli.Call) supervise.Intent {
	d := decide(ctx, call, machine.Here())
	return supervise.Intent{Asked: call.Text("intent"), Line: d.Line(), Met: d.Met}
}

// runOptions joins the command line with the configuration.
func runOptions(call *cli.Call, cfg *config.Config) (supervise.Options, error) {
	opt := supervise.Options{
		Argv: call.Args, Runs: cfg.String("run.dir"), Dir: call.Text("dir"), Mode: supervise.Mode(cfg.String("run.mode")), Detach: call.Switch("detach"),
		MaxLog: cfg.Size("run.max_log"), Keep: cfg.Size("run.keep"), Reserve: cfg.Size("run.reserve"),
		Linger: cfg.Duration("run.linger"), Grace: cfg.Duration("run.grace"), OnFault: cfg.String("run.on_fault"),
		Version: readBuild().Version, Config: call.Config,
		Capture: cfg.String("run.capture"), Outputs: call.List("outputs"),
		Stdout: call.Stdout, Screen: call.Screen, Stderr: call.Stderr,
	}
	opt.Stdin, _ = call.Stdin.(*os.File)
	if dir, err := machine.Dir(os.Getenv); err == nil {
		opt.State = dir
	}
	if opt.BatchCap = call.Integer("batch-cap"); call.Given("batch-cap") && opt.BatchCap < 1 {
		return opt, cli.Usage("run: --batch-cap %d: a batch has at least one sample", opt.BatchCap)
	}
	if err := chosenMode(call, &opt); err != nil {
		return opt, err
	}
	if text := call.Text("max-log"); text != "" {
		n, ok := config.ParseSize(text)
		if !ok || n < supervise.LeastLog {
			return opt, cli.Usage("run: --max-log %s: it must be a size of at least %d MiB, such as 500MiB or 2GiB", text, supervise.LeastLog>>20)
		}
		opt.MaxLog = n
	}
	if text := call.Text("on-fault"); text != "" {
		opt.OnFault = text
	}
	faults, err := newFaultSearch(call, cfg)
	opt.Faults = faults
	return opt, err
}

// chosenMode is how the output is to be taken, by the command line before the
// configuration.
func chosenMode(call *cli.Call, opt *supervise.Options) error {
	chosen := 0
	for _, m := range []supervise.Mode{supervise.TTY, supervise.Pipe, supervise.File} {
		if call.Switch(string(m)) {
			opt.Mode = m
			chosen++
		}
	}
	switch {
	case chosen > 1:
		return cli.Usage("run: --tty, --pipe and --file exclude one another")
	case chosen == 0 && opt.Detach:
		opt.Mode = supervise.File
	case opt.Detach && opt.Mode != supervise.File:
		return cli.Usage("run: --detach needs the file that the trainer writes to itself: --%s would end it with trainvet", opt.Mode)
	}
	return nil
}

// notStarted says why there is no trainer, with the exit code that says so.
func notStarted(w io.Writer, err error) error {
	var start *supervise.StartError
	if !errors.As(err, &start) {
		return cli.CouldNot("run", err)
	}
	if errors.Is(err, supervise.ErrUnsupported) {
		return cli.CouldNot("run", err)
	}
	fmt.Fprintf(w, "trainvet: run: %s\n", plain.Line(err.Error(), maxRunLine))
	return cli.Outcome(start.Code)
}

const maxRunLine = 500

// failWords are the values of --fail-on, from mildest threshold to strictest.
var failWords = []string{"never", "poisoned", "unproven", "degraded"}

// failOn is the threshold: what was typed, else strict in CI, where nobody
// reads, and never under a scheduler, which starts again what exits non-zero.
func failOn(call *cli.Call, getenv func(string) string) string {
	switch word := call.Text("fail-on"); {
	case word != "":
		return word
	case strings.EqualFold(getenv("CI"), "true") && supervise.Scheduler(getenv) == "":
		return "degraded"
	}
	return "never"
}
