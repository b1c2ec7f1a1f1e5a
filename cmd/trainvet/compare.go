package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/config"
	"github.com/trainvet/trainvet/logscan"
	"github.com/trainvet/trainvet/probe/compare"
)

func compareCommand() cli.Command {
	return cli.Command{
		Name:    "compare",
		Summary: "say whether two arms of runs differ, and what the comparison could have shown",
		Args:    "RUN... -- RUN...",
		Text: `RUN is a log, a metrics file or a folder, as for audit; the runs before -- are
arm A, those behind it arm B. Each run is audited first, and an arm with a
POISONED claim is refused. Predictions allow the sharpest test: give the two
files with --predictions, with or without runs.`,
		MaxArgs: -1, Arms: true,
		Formats: []string{"text", "json"},
		Flags: []cli.Flag{
			{Name: "predictions", Kind: cli.List, Value: "FILE", Help: "CSV of item, label, prediction: once for arm A, once for arm B"},
			{Name: "score", Kind: cli.Text, Value: "SCORE", Words: compare.Scores(),
				Help: "how predictions are judged: accuracy (default), wer, cer, bleu, or mean of a column score"},
			{Name: "metric", Kind: cli.List, Value: "PATTERN", Help: "compare these metrics only; * matches any characters (repeatable)"},
			{Name: "within", Kind: cli.Text, Value: "D", Help: "difference that does not matter, in the metric's unit (one point for shares, else 1 %)"},
			{Name: "n", Kind: cli.Integer, Value: "N", Help: "items behind each value, where the logs do not say"},
			{Name: "exact", Help: "ask for identity instead: all values as printed, all files byte by byte"},
		},
		Exits: cli.Exits("each metric DIFFERENT or SAME; with --exact IDENTICAL",
			"an arm with a POISONED claim is refused; with --exact something differs", "a metric of which it CANNOT TELL"),
		Run: runCompare,
	}
}

func runCompare(ctx context.Context, call *cli.Call) error {
	a, b, err := arms(call)
	if err != nil {
		return err
	}
	cfg, err := settings(call)
	if err != nil {
		return err
	}
	opt, err := compareOptions(call, cfg)
	if err != nil {
		return err
	}
	itemsA, itemsB, err := predictionsOf(call)
	if err != nil {
		return err
	}
	runsA, err := auditRuns(ctx, call, cfg, a)
	if err != nil {
		return err
	}
	runsB, err := auditRuns(ctx, call, cfg, b)
	if err != nil {
		return err
	}
	if call.Switch("exact") {
		return compareExact(call, runsA, runsB, itemsA, itemsB)
	}
	report, err := compareReport(call, runsA, runsB, itemsA, itemsB, opt)
	if err != nil {
		return err
	}
	if err := writeReport(call, report); err != nil {
		return err
	}
	switch {
	case len(report.Refused) > 0:
		return cli.Outcome(cli.CodeFound)
	case !report.Settled():
		return cli.Outcome(cli.CodeDoubt)
	}
	return nil
}

// arms parts the arguments. Two runs need no --.
func arms(call *cli.Call) (a, b []string, err error) {
	at := slices.Index(call.Args, "--")
	predictions := call.List("predictions")
	if n := len(predictions); n != 0 && n != 2 {
		return nil, nil, cli.Usage("compare: --predictions takes a file for each arm, two in all, and was given %d", n)
	}
	switch {
	case at > 0 && at < len(call.Args)-1:
		return call.Args[:at], call.Args[at+1:], nil
	case at < 0 && len(call.Args) == 2:
		return call.Args[:1], call.Args[1:], nil
	case len(call.Args) == 0 && len(predictions) == 2:
		return nil, nil, nil
	}
	return nil, nil, cli.Usage("compare: two arms are needed").With("usage: trainvet compare RUN... -- RUN...")
}

func compareOptions(call *cli.Call, cfg *config.Config) (compare.Options, error) {
	opt := compare.Options{N: call.Integer("n"), Within: cfg.Float("compare.within")}
	if opt.N < 0 {
		return opt, cli.Usage("compare: --n %d: it must be a number of items", opt.N)
	}
	if text := call.Text("within"); text != "" {
		d, err := strconv.ParseFloat(text, 64)
		if err != nil || !(d > 0) {
			return opt, cli.Usage("compare: --within %s: it must be a number above 0", text)
		}
		opt.Within = d
	}
	if patterns := call.List("metric"); len(patterns) > 0 {
		opt.Choose = matcher(patterns)
	}
	return opt, nil
}

// matcher reports names that match one of the patterns.
func matcher(patterns []string) func(string) bool {
	var all []*regexp.Regexp
	for _, p := range patterns {
		all = append(all, regexp.MustCompile("^"+strings.ReplaceAll(regexp.QuoteMeta(p), `\*`, ".*")+"$"))
	}
	return func(name string) bool {
		return slices.ContainsFunc(all, func(r *regexp.Regexp) bool { return r.MatchString(name) })
	}
}

func predictionsOf(call *cli.Call) (a, b []compare.Item, err error) {
	files := call.List("predictions")
	if len(files) == 0 {
		return nil, nil, nil
	}
	score := scoreOf(call)
	var items [2][]compare.Item
	for i, name := range files {
		if items[i], err = readPredictions(name, score); err != nil {
			return nil, nil, err
		}
	}
	return items[0], items[1], nil
}

func scoreOf(call *cli.Call) compare.Score {
	if s := call.Text("score"); s != "" {
		return compare.Score(s)
	}
	return compare.Accuracy
}

func readPredictions(name string, score compare.Score) ([]compare.Item, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, cli.CouldNot("reading predictions", err)
	}
	defer f.Close()
	items, err := compare.ReadPredictions(name, f, score)
	var wrong *compare.FileError
	if errors.As(err, &wrong) {
		return nil, cli.Usage("compare: %w", err)
	}
	if err != nil {
		return nil, cli.CouldNot("", err)
	}
	return items, nil
}

// auditRuns audits each run by itself; every value is wanted, since values tell
// of how many items they are shares.
func auditRuns(ctx context.Context, call *cli.Call, cfg *config.Config, paths []string) ([]compare.Run, error) {
	opt, err := auditOptions(call, cfg)
	if err != nil {
		return nil, err
	}
	opt.All = true
	if patterns := call.List("metric"); len(patterns) > 0 {
		opt.Require = patterns
	}
	var runs []compare.Run
	for _, path := range paths {
		res, ev, err := logscan.Audit(ctx, []string{path}, cli.Interruptible(ctx, call.Stdin), opt)
		if err != nil {
			return nil, auditError(err)
		}
		if len(ev.Unread) > 0 {
			return nil, cli.CouldNot("compare", fmt.Errorf("%s could not be read whole: %s: %s", path, ev.Unread[0].Path, ev.Unread[0].Why))
		}
		runs = append(runs, compare.NewRun(path, res, ev))
	}
	return runs, nil
}

// compareReport joins what the runs and what the predictions say.
func compareReport(call *cli.Call, a, b []compare.Run, itemsA, itemsB []compare.Item, opt compare.Options) (*compare.Report, error) {
	if itemsA == nil {
		report, err := compare.Runs(a, b, opt)
		if err != nil {
			return nil, cli.CouldNot("compare", err)
		}
		return report, nil
	}
	report := &compare.Report{Version: compare.Version}
	if a != nil {
		report = compare.Audited(a, b, opt)
	}
	if len(report.Refused) > 0 {
		return report, nil
	}
	of, err := compare.Predictions(itemsA, itemsB, scoreOf(call), opt)
	if err != nil {
		return nil, cli.Usage("compare: %w", err)
	}
	report.Metrics, report.Notes = of.Metrics, append(report.Notes, of.Notes...)
	if a == nil {
		report.Notes = append(report.Notes, "no run was named, so none was audited: whether the predictions come from sound runs is not known")
	}
	return report, nil
}

// compareExact asks for identity. Two folders are compared file by file too.
func compareExact(call *cli.Call, a, b []compare.Run, itemsA, itemsB []compare.Item) error {
	report := &compare.ExactReport{Version: compare.Version}
	if itemsA != nil {
		report.ExactItems(itemsA, itemsB)
	}
	if len(a) > 1 || len(b) > 1 {
		return cli.Usage("compare: --exact takes one run an arm")
	}
	if len(a) == 1 {
		report.ExactValues(a[0].Result, b[0].Result)
		if err := exactFiles(report, a[0], b[0]); err != nil {
			return cli.CouldNot("compare", err)
		}
	}
	if err := writeReport(call, report); err != nil {
		return err
	}
	if !report.Identical() {
		return cli.Outcome(cli.CodeFound)
	}
	return nil
}

// exactFiles compares two folders, but for the logs that were audited: their
// values are compared, and the rest of them is times and paths.
func exactFiles(report *compare.ExactReport, a, b compare.Run) error {
	for _, r := range []compare.Run{a, b} {
		if info, err := os.Stat(r.Path); err != nil || !info.IsDir() {
			return err
		}
	}
	logs := func(name string) bool {
		for _, r := range []compare.Run{a, b} {
			if slices.Contains(r.Sources, filepath.Join(r.Path, filepath.FromSlash(name))) {
				return true
			}
		}
		return false
	}
	return report.ExactFiles(os.DirFS(a.Path), os.DirFS(b.Path), logs)
}

// textWriter is a report that people can read; its JSON is that of the type.
type textWriter interface {
	WriteText(w io.Writer, verbose bool) error
}

// writeReport prints a report in the format that was asked for.
func writeReport(call *cli.Call, report textWriter) error {
	var err error
	if call.Format == "json" {
		e := json.NewEncoder(call.Stdout)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		err = e.Encode(report)
	} else {
		err = report.WriteText(call.Stdout, call.Verbose)
	}
	if err != nil {
		return cli.CouldNot("writing the report", err)
	}
	return nil
}
