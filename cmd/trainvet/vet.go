package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/trainvet/trainvet/analyzers"
	"github.com/trainvet/trainvet/analyzers/golang/driver"
	"github.com/trainvet/trainvet/analyzers/ledger"
	"github.com/trainvet/trainvet/analyzers/ledger/since"
	"github.com/trainvet/trainvet/analyzers/rules"
	"github.com/trainvet/trainvet/analyzers/site"
	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/config"
	"github.com/trainvet/trainvet/internal/report"
)

func vetCommand() cli.Command {
	return cli.Command{
		Name:    "vet",
		Summary: "find the places in source where a fault can become a plausible number, and hold them against the guard ledger",
		Args:    "[PATTERN...]",
		Text: `PATTERN is a folder with all below it, a Go import path, or a Python file;
without one, ./... is analysed. Modules below it are found. Without a ledger the
sites are listed and fail nothing; trainvet ledger update writes one.`,
		MaxArgs: -1,
		Formats: findingsFormatNames(),
		Flags: []cli.Flag{
			{Name: "tags", Kind: cli.List, Value: "LIST", Help: "build tags, with commas; repeated: one more run with these (an empty one: without tags)"},
			{Name: "new-from", Kind: cli.Text, Value: "REV", Help: "what is older than this git revision is debt and fails nothing"},
			{Name: "tier", Kind: cli.Text, Words: []string{"core", "strict", "audit"}, Value: "TIER", Help: "rules of this tier and those before it run: core, strict, audit"},
			{Name: "select", Kind: cli.List, Value: "CODES", Help: "these rules alone, of whatever tier; codes may be cut short: TV2"},
			{Name: "ignore", Kind: cli.List, Value: "CODES", Help: "without these rules"},
			{Name: "also", Kind: cli.List, Value: "FORMAT=FILE", Help: "write the report in another format too (repeatable)"},
			{Name: "fix", Help: "make the changes that keep what the program means"},
			{Name: "diff", Help: "print the changes that --fix would make, and make none"},
			{Name: "drafts", Help: "with --diff: changes that need a look too"},
			{Name: "watch", Help: "go on, and say after each change what is new and what is gone"},
		},
		Exits: []cli.Exit{
			{Code: "0", Text: "no finding of severity error or warning"},
			{Code: "1", Text: "such a finding; with --diff a change to make"},
			{Code: "2", Text: "usage or configuration; a ledger that cannot be read"},
			{Code: "3", Text: "not everything was analysed in which a site may lie, or there is no go command"},
		},
		Run: runVet,
	}
}

func findingsFormatNames() []string {
	var names []string
	for _, f := range report.FindingsFormats() {
		names = append(names, f.Name)
	}
	return names
}

// vetBallast counts as live and is never touched. vet holds little for long and
// throws much away: with it the collector runs less often on a tree of a million
// lines, and where sites alone are looked for the largest stay within 150 MB.
const vetBallast = 16 << 20

func runVet(ctx context.Context, call *cli.Call) error {
	held := make([]byte, vetBallast)
	defer runtime.KeepAlive(held)
	also, err := furtherReports(call)
	if err != nil {
		return err
	}
	if err := changing(call); err != nil {
		return err
	}
	if err := watching(call); err != nil {
		return err
	}
	set, err := settings(call)
	if err != nil {
		return err
	}
	if call.Switch("watch") {
		return watchVet(ctx, call, set)
	}
	res, err := vetTree(ctx, call, set)
	if err != nil {
		return err
	}
	if call.Switch("diff") {
		return showFixes(call, res)
	}
	if call.Switch("fix") {
		changed, err := makeFixes(call, res)
		if err != nil {
			return err
		}
		if changed { // what is left is what counts
			if res, err = vetTree(ctx, call, set); err != nil {
				return err
			}
		}
	}
	if err := keepSources(call, res, also); err != nil {
		return err
	}
	v := vetted(res)
	for _, a := range also {
		if err := call.WriteFile(a.file, func(w io.Writer) error { return a.printer.Findings(w, v) }); err != nil {
			return cli.CouldNot("", err)
		}
	}
	code := vetOutcome(v)
	if !call.Quiet || code != cli.CodeOK || call.Format != "text" {
		if err := printFindings(call, v); err != nil {
			return cli.CouldNot("", err)
		}
	}
	return cli.Outcome(code)
}

func vetTree(ctx context.Context, call *cli.Call, set *config.Config) (*analyzers.Result, error) {
	if slices.Contains(call.Args, "") { // joined to a folder it would mean that one
		return nil, cli.Usage("vet: a path is empty").With("a variable of the shell that is not set?")
	}
	opt := analyzers.Options{Patterns: call.Args, TagSets: call.List("tags")}
	setPython(&opt, set)
	var err error
	if opt.Rules, err = selection(call, set); err != nil {
		return nil, err
	}
	join := analyzers.Join{Ledger: ledger.Options{Now: time.Now()}, NewFrom: call.Text("new-from")}
	done := waiting(call)
	res, err := analyzers.Vet(ctx, opt, join)
	done()
	if err != nil {
		return nil, vetError(err)
	}
	return res, nil
}

// patience is how long nothing is said of what the go command is doing.
const patience = 5 * time.Second

// waiting tells a person at a terminal why it takes so long: the first run
// builds what the packages import.
func waiting(call *cli.Call) (done func()) {
	if call.Quiet || call.Width == 0 {
		return func() {}
	}
	timer := time.AfterFunc(patience, func() {
		fmt.Fprintln(call.Stderr, "waiting for the go command, which builds and analyses what is not in its cache yet")
	})
	return func() { timer.Stop() }
}

func printFindings(call *cli.Call, v *report.Vetted) error {
	p, err := report.NewFindings(call.Format, report.Options{Color: call.Color, Width: call.Width, Verbose: call.Verbose, Quiet: call.Quiet})
	if err != nil {
		return err
	}
	return p.Findings(call.Stdout, v)
}

// vetOutcome: a finding that is no mere note wins over what was not analysed.
func vetOutcome(v *report.Vetted) int {
	switch {
	case slices.ContainsFunc(v.Findings, func(f site.Finding) bool { return f.Severity == site.Error || f.Severity == site.Warning }):
		return cli.CodeFound
	case !v.Complete:
		return cli.CodeCouldNot
	}
	return cli.CodeOK
}

// further is a report beside the one that is printed.
type further struct {
	file    string
	printer report.FindingsPrinter
}

func furtherReports(call *cli.Call) ([]further, error) {
	var out []further
	for _, text := range call.List("also") {
		format, file, ok := strings.Cut(text, "=")
		if !ok || file == "" || file == "-" {
			return nil, cli.Usage("vet: --also %s: a format and a file are expected, such as sarif=trainvet.sarif", text)
		}
		p, err := report.NewFindings(format, report.Options{})
		if err != nil || format == "" {
			return nil, cli.Usage("vet: --also %s: the format is one of %s", text, strings.Join(findingsFormatNames(), ", "))
		}
		out = append(out, further{file, p})
	}
	return out, nil
}

// keepSources refuses to write a report over a file that was analysed, or over
// the ledger.
func keepSources(call *cli.Call, res *analyzers.Result, also []further) error {
	targets := []string{call.Text("output")}
	for _, a := range also {
		targets = append(targets, a.file)
	}
	sources := []string{analyzers.LedgerName}
	for _, u := range res.Units() {
		sources = append(sources, u.Files...)
	}
	for _, name := range targets {
		target, err := os.Stat(name)
		if err != nil || !target.Mode().IsRegular() {
			continue
		}
		for _, source := range sources {
			if info, err := os.Stat(inRoot(res.Root, source)); err == nil && os.SameFile(info, target) {
				return cli.Usage("vet: %s is one of the files that are analysed", name)
			}
		}
	}
	return nil
}

// vetError sorts what could not be done from what the caller can mend.
func vetError(err error) error {
	var (
		lines   ledger.Errors
		pattern *driver.PatternError
		rev     *since.RevisionError
	)
	switch {
	case errors.As(err, &lines):
		wrong := cli.Usage("the ledger cannot be read")
		for _, l := range lines {
			wrong = wrong.With(l.Error())
		}
		return wrong
	case errors.As(err, &pattern), errors.As(err, &rev):
		return cli.Usage("vet: %w", err)
	case errors.Is(err, context.Canceled):
		return err
	}
	return cli.CouldNot("vet", err)
}

// vetted is the result as the printers take it.
func vetted(res *analyzers.Result) *report.Vetted {
	v := &report.Vetted{
		Root: ".", Inventory: res.Inventory(), Complete: !res.Incomplete(),
		Findings: res.Findings, Units: res.Units(), Gaps: res.Gaps,
		Source: func(file string) ([]byte, error) { return os.ReadFile(inRoot(res.Root, file)) },
	}
	for _, j := range res.Sites {
		listed := report.ListedSite{Site: j.Site, Name: j.Site.ID.String(), Counts: j.State, How: j.How}
		if j.Row != nil {
			listed.Row = j.Row.String()
		}
		v.Sites = append(v.Sites, listed)
	}
	for _, d := range res.Debt {
		v.Debt = append(v.Debt, report.Owed{Code: d.Code, At: d.At, Site: d.Site, Until: d.Until})
	}
	for _, r := range res.Stale {
		v.Stale = append(v.Stale, r.String())
	}
	for _, r := range res.Unknown {
		v.Unknown = append(v.Unknown, r.String())
	}
	v.Rules = rulesOf(v.Findings)
	return v
}

func rulesOf(findings []site.Finding) []report.RuleOfFinding {
	var out []report.RuleOfFinding
	for _, f := range findings {
		if slices.ContainsFunc(out, func(r report.RuleOfFinding) bool { return r.Code == f.Code }) {
			continue
		}
		rule, ok := rules.Find(f.Code)
		if !ok {
			rule = site.Rule{Code: f.Code, Severity: f.Severity}
		}
		out = append(out, report.RuleOfFinding{Code: f.Code, Name: rule.Name, Severity: rule.Severity, Flags: rule.Flags, Matters: rule.Matters})
	}
	slices.SortFunc(out, func(a, b report.RuleOfFinding) int { return strings.Compare(a.Code, b.Code) })
	return out
}

func inRoot(root, file string) string {
	name := filepath.FromSlash(file)
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(root, name)
}
