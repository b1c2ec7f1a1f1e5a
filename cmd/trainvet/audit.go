package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/config"
	"github.com/trainvet/trainvet/internal/report"
	"github.com/trainvet/trainvet/internal/supervise"
	"github.com/trainvet/trainvet/logscan"
	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/source"
	"github.com/trainvet/trainvet/logscan/verdict"
)

func auditCommand() cli.Command {
	return cli.Command{
		Name:    "audit",
		Summary: "say of each number that a run printed whether to believe it, and why",
		Args:    "PATH...",
		Text: `PATH is a log, a metrics file or a folder of one run; - is standard input.
Plain, gzip, zstd and xz files are read. Name everything that the run wrote,
above all its standard error: a fault is seen only where it was printed.`,
		MinArgs: 1, MaxArgs: -1, Finishes: true,
		Formats: formatNames(),
		Flags: []cli.Flag{
			{Name: "all", Help: "judge and list every value, not only the claims"},
			{Name: "require", Kind: cli.List, Value: "PATTERN", Help: "metrics that are claims too; * matches any characters (repeatable)"},
			{Name: "require-level", Kind: cli.Text, Value: "LEVEL", Words: []string{"log", "captured", "guarded", "probed"},
				Help: "assurance that TRUSTED needs: log, captured, guarded, probed"},
			{Name: "allow", Kind: cli.List, Value: "VERDICT", Words: []string{"degraded", "unproven"},
				Help: "exit 0 in spite of this verdict: degraded, unproven (repeatable)"},
			{Name: "each", Help: "judge several jobs in one folder, each on its own"},
			{Name: "ranks", Kind: cli.Text, Value: "PATTERN", Help: "where the rank stands in file names: log_{rank}.txt"},
			{Name: "hosts", Kind: cli.Text, Value: "PATTERN", Help: "where the host stands in file names: {host}.err"},
			{Name: "tz", Kind: cli.Text, Value: "ZONE", Help: "time zone of stamps that name none: Europe/Berlin, +02:00"},
			{Name: "skew", Kind: cli.Period, Value: "TIME", Help: "difference allowed between the clocks of hosts (2s)"},
			{Name: "baseline", Kind: cli.Text, Value: "RUN", Help: "a run known to be good, to compare the curves with"},
			{Name: "evidence", Kind: cli.Text, Value: "FILE", Help: "write what was found, as JSON, to FILE"},
			{Name: "follow", Help: "audit while the run goes on, until it ends or ctrl-C"},
			{Name: "until", Kind: cli.Text, Value: "TEXT", Help: "with --follow: the run has ended when a line holds TEXT"},
			{Name: "idle", Kind: cli.Period, Value: "TIME", Help: "with --follow: the run has ended when nothing was written for TIME"},
			{Name: "workers", Kind: cli.Integer, Value: "N", Help: "sources read at a time (one per processor)"},
		},
		Exits: []cli.Exit{
			{Code: "0", Text: "every claim TRUSTED, or in doubt as --allow permits"},
			{Code: "1", Text: "a claim POISONED"},
			{Code: "2", Text: "usage or configuration"},
			{Code: "3", Text: "could not be done, or something could not be read; 1 wins over 3, 3 over 4"},
			{Code: "4", Text: "a claim UNPROVEN or DEGRADED, none POISONED"},
		},
		Run: runAudit,
	}
}

func formatNames() []string {
	var names []string
	for _, f := range report.Formats() {
		names = append(names, f.Name)
	}
	return names
}

func runAudit(ctx context.Context, call *cli.Call) error {
	if call.Text("evidence") == "-" {
		return cli.Usage("audit: --evidence needs a file: standard output carries the report")
	}
	cfg, err := settings(call)
	if err != nil {
		return err
	}
	opt, err := auditOptions(call, cfg)
	if err != nil {
		return err
	}
	for i, path := range call.Args { // the record of a run that goes on may lie on another disk
		var release func()
		call.Args[i], release = supervise.Locate(path)
		defer release()
	}
	if call.Switch("follow") {
		return followAudit(ctx, call, cfg, opt)
	}
	for _, name := range []string{"until", "idle"} {
		if call.Given(name) {
			return cli.Usage("audit: --%s needs --follow", name)
		}
	}
	return audit(ctx, call, cfg, call.Args, opt)
}

// The heap of the audit of one file stays near what is live, a few megabytes
// whatever the size of the file: it grows by a tenth of that and of a ballast,
// which is never touched and so takes no memory: it is there before anything else,
// since memory that was in use before is cleared. So a collection comes every
// three megabytes; without the ballast there were twice as many, for a sixth of
// all time. A folder may hold thousands of ranks, and their evidence, which stays
// live to the end, is not worth going over so often: it trebles between two
// collections (if it doubled, ten thousand ranks took 4 % more time and 8 % less
// memory). To list all values takes as long again, beside which more
// collections do not show, and their memory does.
const (
	oneFileGC    = 10
	allValuesGC  = 4
	folderGC     = 200
	auditBallast = 24 << 20
)

// audit is what audit and demo share: the paths are scanned and judged, the
// result is printed, the exit code is that of the result.
func audit(ctx context.Context, call *cli.Call, cfg *config.Config, paths []string, opt logscan.Options) error {
	held := make([]byte, auditBallast)
	defer func() { runtime.KeepAlive(held) }()
	plan, err := logscan.Open(ctx, paths, cli.Interruptible(ctx, call.Stdin), opt)
	if err != nil {
		return auditError(err)
	}
	if len(plan.Sources()) == 1 {
		debug.SetGCPercent(oneFileGC)
		if opt.All {
			debug.SetGCPercent(allValuesGC)
		}
	} else {
		held = nil
		debug.SetGCPercent(folderGC)
	}
	res, ev, err := plan.Audit(ctx)
	if err != nil {
		return auditError(err)
	}
	return answer(ctx, call, cfg, res, ev)
}

// answer prints a result, with what the curves say, and gives its exit code.
func answer(ctx context.Context, call *cli.Call, cfg *config.Config, res *verdict.Result, ev *evidence.Evidence) error {
	if err := keepInputs(call, ev); err != nil {
		return err
	}
	if err := addQuality(ctx, call, cfg, res, ev); err != nil {
		return err
	}
	if name := call.Text("evidence"); name != "" {
		if err := call.WriteFile(name, func(w io.Writer) error { return json.NewEncoder(w).Encode(ev) }); err != nil {
			return cli.CouldNot("writing the evidence", err)
		}
	}
	code := outcome(res, ev.Unread, allowList(call, cfg))
	if err := printResult(call, res, code); err != nil {
		return cli.CouldNot("", err)
	}
	return cli.Outcome(code)
}

// keepInputs refuses to write over a file that was read: it is the evidence.
func keepInputs(call *cli.Call, ev *evidence.Evidence) error {
	for _, flag := range []string{"output", "evidence"} {
		target, err := os.Stat(call.Text(flag))
		if err != nil || !target.Mode().IsRegular() {
			continue
		}
		for i := range ev.Sources {
			if info, err := os.Stat(ev.Sources[i].ID); err == nil && os.SameFile(info, target) {
				return cli.Usage("audit: --%s %s is one of the files that are audited", flag, call.Text(flag))
			}
		}
	}
	return nil
}

// allowList is what the command line says, or else the configuration.
func allowList(call *cli.Call, cfg *config.Config) []string {
	if call.Given("allow") {
		return call.List("allow")
	}
	return cfg.Strings("audit.allow")
}

func auditOptions(call *cli.Call, cfg *config.Config) (logscan.Options, error) {
	judge, err := thresholds(cfg)
	if err != nil {
		return logscan.Options{}, err
	}
	tz, err := zone(call.Text("tz"))
	if err != nil {
		return logscan.Options{}, err
	}
	rows := rowsOf(cfg)
	if rows.any() { // the library loads the catalogues anyhow, but knows no lines of the configuration
		if _, err := rows.check(); err != nil {
			return logscan.Options{}, err
		}
	}
	return logscan.Options{
		All: call.Switch("all"), Require: call.List("require"), RequireLevel: call.Text("require-level"),
		Ranks: call.Text("ranks"), Hosts: call.Text("hosts"), TZ: tz, Skew: call.Period("skew"),
		Each: call.Switch("each"), Workers: call.Integer("workers"),
		Config: judge, Markers: rows.markerTable(), Metrics: rows.metricTable(),
	}, nil
}

// auditError sorts what the library could not do from what the caller can mend.
func auditError(err error) error {
	var jobs *source.ManyJobs
	var pattern *source.BadPattern
	switch {
	case errors.As(err, &jobs):
		return cli.Usage("audit: %s holds the logs of %d jobs", jobs.Path, len(jobs.Jobs)).
			With(append(jobs.Jobs, "name one of them, or give --each to judge each on its own")...)
	case errors.As(err, &pattern):
		return cli.Usage("audit: %w", err)
	}
	return cli.CouldNot("audit", err)
}

// printResult prints nothing under --quiet when there is nothing to report.
func printResult(call *cli.Call, res *verdict.Result, code int) error {
	if call.Quiet && code == cli.CodeOK && call.Format == "text" {
		return nil
	}
	printer, err := report.New(call.Format, report.Options{
		Color: call.Color, Width: call.Width, Verbose: call.Verbose, Quiet: call.Quiet,
	})
	if err != nil {
		return err
	}
	return printer.Result(call.Stdout, res)
}
