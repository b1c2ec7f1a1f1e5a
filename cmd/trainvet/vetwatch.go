package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/trainvet/trainvet/analyzers"
	"github.com/trainvet/trainvet/analyzers/python"
	"github.com/trainvet/trainvet/analyzers/watch"
	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/config"
	"github.com/trainvet/trainvet/internal/plain"
	"github.com/trainvet/trainvet/internal/report"
)

// watching refuses what cannot be meant of --watch.
func watching(call *cli.Call) error {
	if !call.Switch("watch") {
		return nil
	}
	for _, name := range []string{"fix", "diff", "drafts", "also", "output"} {
		if call.Given(name) {
			return cli.Usage("vet: --watch goes on until it is interrupted, and has no --%s", name)
		}
	}
	if call.Format != "text" {
		return cli.Usage("vet: --watch prints lines, which have no format %s", call.Format)
	}
	return nil
}

// watchVet prints the report, then after each change what is new and what is
// gone. The whole is analysed anew: whether a site is guarded can be decided by
// any file of the tree. An interrupt ends it with the outcome of the last look.
func watchVet(ctx context.Context, call *cli.Call, set *config.Config) error {
	w, err := newWatcher(call.Args)
	if err != nil {
		return err
	}
	defer w.Close()
	res, err := vetTree(ctx, call, set)
	if err != nil {
		return err
	}
	old := vetted(res)
	tell := watchTeller{call.Stdout}
	if !call.Quiet {
		if err := printFindings(call, old); err != nil {
			return cli.CouldNot("", err)
		}
	}
	for _, folder := range w.Unwatched() {
		tell.line("%s cannot be watched: its changes are not seen", folder)
	}
	tell.line("%s; watching", shortVerdict(old))
	for {
		change, err := w.Next(ctx)
		if err != nil {
			return cli.Outcome(vetOutcome(old)) // interrupted, as it is meant to be
		}
		now, err := vetAgain(ctx, call)
		if ctx.Err() != nil {
			return cli.Outcome(vetOutcome(old))
		}
		if err != nil { // half-edited: the next change may mend it
			tell.line("%s: %v", changedText(change), err)
			continue
		}
		tell.news(change, old, now)
		old = now
	}
}

// vetAgain looks once more, with the settings as they are now.
func vetAgain(ctx context.Context, call *cli.Call) (*report.Vetted, error) {
	set, err := settings(call)
	if err != nil {
		return nil, err
	}
	res, err := vetTree(ctx, call, set)
	if err != nil {
		return nil, err
	}
	return vetted(res), nil
}

// newWatcher watches the tree that patterns are of. It is made before the tree
// is looked at, so that no change falls between.
func newWatcher(patterns []string) (*watch.Watcher, error) {
	root, err := analyzers.TreeOf(patterns)
	if err != nil {
		return nil, cli.CouldNot("vet", err)
	}
	w, err := watch.New(watch.Options{Root: root, Skip: python.Pruned, Reads: vetReads})
	if err != nil {
		return nil, cli.CouldNot("vet", err)
	}
	return w, nil
}

// vetReads reports whether the analysis reads files of this name.
func vetReads(name string) bool {
	switch name {
	case "go.mod", "go.sum", "go.work", analyzers.LedgerName, "trainvet.toml", "pyproject.toml", ".gitmodules", ".gitignore":
		return true
	}
	return filepath.Ext(name) == ".go" || python.IsSource(name) || python.IsLauncher(name)
}

// shortVerdict is one line about the whole.
func shortVerdict(v *report.Vetted) string {
	count := map[string]int{}
	for _, f := range v.Findings {
		count[string(f.Severity)]++
	}
	out := fmt.Sprintf("%s, %s, %s", counted(count["error"], "error"), counted(count["warning"], "warning"), counted(len(v.Sites), "site"))
	if !v.Complete {
		out += ", not all could be analysed"
	}
	return out
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// maxChanged is how many names of files a line has room for.
const maxChanged = 3

func changedText(c watch.Change) string {
	switch {
	case c.Lost:
		return "notifications were lost"
	case len(c.Files) > maxChanged:
		return fmt.Sprintf("%s and %d more", strings.Join(c.Files[:maxChanged], ", "), len(c.Files)-maxChanged)
	}
	return strings.Join(c.Files, ", ")
}

// watchTeller writes lines, all of which may be untrusted.
type watchTeller struct{ w io.Writer }

func (t watchTeller) line(format string, args ...any) {
	fmt.Fprintf(t.w, "trainvet: %s\n", plain.Line(fmt.Sprintf(format, args...), maxNews))
}

// news says what came and what went.
func (t watchTeller) news(c watch.Change, old, now *report.Vetted) {
	came, went := missing(now, old), missing(old, now)
	t.line("%s: %d new, %d gone; %s", changedText(c), len(came), len(went), shortVerdict(now))
	for _, text := range came {
		t.line("+ %s", text)
	}
	for _, text := range went {
		t.line("- %s", text)
	}
}

// missing are the findings of one report that another one lacks, whatever line
// they are on.
func missing(in, from *report.Vetted) []string {
	known := map[string]bool{}
	for _, f := range from.Findings {
		known[f.Fingerprint] = true
	}
	var out []string
	for _, f := range in.Findings {
		if !known[f.Fingerprint] {
			out = append(out, fmt.Sprintf("%s:%d:%d: %s %s: %s", f.At.File, f.At.Line, f.At.Column, f.Severity, f.Code, f.Message))
		}
	}
	return out
}
