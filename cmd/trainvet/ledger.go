package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/trainvet/trainvet/analyzers"
	"github.com/trainvet/trainvet/analyzers/ledger"
	"github.com/trainvet/trainvet/analyzers/ledger/since"
	"github.com/trainvet/trainvet/internal/cli"
	"github.com/trainvet/trainvet/internal/config"
	"github.com/trainvet/trainvet/internal/report"
)

// scanning finds the sites of a whole tree, whatever folder of it one is in.
type scanning func(ctx context.Context, call *cli.Call, root string) (*analyzers.Tree, error)

func scanTree(ctx context.Context, call *cli.Call, root string) (*analyzers.Tree, error) {
	set, err := ledgerSettings(call, root)
	if err != nil {
		return nil, err
	}
	opt := analyzers.Options{Dir: root, TagSets: call.List("tags")}
	setPython(&opt, set)
	return analyzers.Scan(ctx, opt)
}

// ledgerSettings loads the file of --config, or the one of the tree.
func ledgerSettings(call *cli.Call, root string) (*config.Config, error) {
	if call.Config != "" {
		return settings(call)
	}
	return schema().Find(root)
}

func ledgerCommand(scan scanning) cli.Command {
	return cli.Command{
		Name:    "ledger",
		Summary: "read and write the guard ledger: the committed list of decode and step sites",
		Text: `trainvet.ledger has a row for each site: what it is, and that it is guarded, or
why it need not be. It is looked for upwards from the working folder. SITE is
the id of a row, id@shape, or file:line. In CI (CI=true) nothing is written.`,
		Commands: []cli.Command{
			ledgerUpdate(scan), ledgerAccept(scan), ledgerExempt(scan), ledgerBaseline(scan),
			ledgerShow(scan), ledgerStats(scan), ledgerDiff(), ledgerFmt(),
		},
	}
}

var tagsFlag = cli.Flag{Name: "tags", Kind: cli.List, Value: "LIST", Help: "build tags, with commas; repeated: one more run with these"}

// book is a tree with its ledger, for one command.
type book struct {
	*analyzers.Tree
	call *cli.Call
	opt  ledger.Options
}

// openBook scans the tree that the working folder is in.
func openBook(ctx context.Context, call *cli.Call, scan scanning) (*book, error) {
	root, err := ledgerRoot()
	if err != nil {
		return nil, err
	}
	tree, err := scan(ctx, call, root)
	if err != nil {
		return nil, ledgerError(err)
	}
	return &book{Tree: tree, call: call, opt: ledger.Options{Now: time.Now()}}, nil
}

func ledgerRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", cli.CouldNot("naming the working folder", err)
	}
	return analyzers.Root(dir), nil
}

func (b *book) judge() ledger.Judgement { return ledger.Judge(b.Ledger, &b.Scan, b.opt) }

// find takes the word of a person for a site. A file is named from the working
// folder there, as the shell completes it, or from the root.
func (b *book) find(j *ledger.Judgement, word string) (*ledger.Judged, error) {
	a, err := j.Find(word)
	if err != nil {
		if here, ok := b.fromRoot(word); ok {
			a, err = j.Find(here)
		}
	}
	var wrong *ledger.TargetError
	if errors.As(err, &wrong) {
		usage := cli.Usage("ledger: %w", err)
		if len(wrong.Near) == 0 {
			return nil, usage.With("a site is an id, id@shape or file:line; trainvet vet lists them")
		}
		return nil, usage.With("which one is meant?").With(wrong.Near...)
	}
	return a, err
}

func (b *book) fromRoot(word string) (string, bool) {
	abs, err := filepath.Abs(word)
	if err != nil {
		return "", false
	}
	rel, err := filepath.Rel(b.Root, abs)
	rel = filepath.ToSlash(rel)
	return rel, err == nil && rel != word && !strings.HasPrefix(rel, "../")
}

// write puts a ledger in place of the one of the tree and says what changed.
func (b *book) write(next ledger.Ledger) error {
	before, created := ledger.Ledger{}, b.Ledger == nil
	if !created {
		before = *b.Ledger
	}
	changes := ledger.Diff(before, next)
	name := filepath.Join(b.Root, ledger.FileName)
	if created || !bytes.Equal(before.Format(), next.Format()) {
		err := b.call.WriteFile(name, func(w io.Writer) error {
			_, err := w.Write(next.Format())
			return err
		})
		if err != nil {
			return cli.CouldNot("", err)
		}
	}
	if err := printChanges(b.call, changes); err != nil {
		return err
	}
	if created && !b.call.Quiet {
		fmt.Fprintf(b.call.Stderr, "%s is new: commit it; \"%s merge=union\" in .gitattributes lets branches merge it\n", ledger.FileName, ledger.FileName)
	}
	b.Ledger = &next
	return b.left()
}

// left says on standard error what still fails, and what was not looked at.
func (b *book) left() error {
	if j := b.judge(); !b.call.Quiet {
		n := 0
		for _, a := range j.Sites {
			if a.State.Fails() && !a.Site.Test {
				n++
			}
		}
		if n > 0 {
			fmt.Fprintf(b.call.Stderr, "%d of %d sites fail: trainvet vet says which and why\n", n, len(j.Sites))
		}
		if len(j.Debt) > 0 {
			fmt.Fprintf(b.call.Stderr, "debt: %d, which fails when the baseline ends\n", len(j.Debt))
		}
	}
	if b.Incomplete() {
		fmt.Fprintf(b.call.Stderr, "not everything was analysed, so rows without a site stay: trainvet vet says what\n")
		return cli.Outcome(cli.CodeCouldNot)
	}
	return nil
}

func printChanges(call *cli.Call, changes []ledger.Change) error {
	var err error
	if call.Format == "json" {
		err = report.LedgerChangesJSON(call.Stdout, changes)
	} else {
		err = report.LedgerChanges(call.Stdout, changes, report.Options{Color: call.Color, Width: call.Width})
	}
	if err != nil {
		return cli.CouldNot("", err)
	}
	return nil
}

// mayWrite refuses in CI: what a pipeline lets pass there, nobody has read.
func mayWrite(command string) error {
	if slices.Contains([]string{"true", "1", "yes"}, strings.ToLower(os.Getenv("CI"))) {
		return cli.Usage("ledger %s: nothing is written in CI (CI=%s)", command, os.Getenv("CI")).
			With("run it on your machine and commit " + ledger.FileName)
	}
	return nil
}

// ledgerError sorts what could not be done from what the caller can mend.
func ledgerError(err error) error {
	var (
		edit     *ledger.EditError
		baseline *ledger.BaselineError
		rev      *since.RevisionError
		settings *config.Error
		usage    *cli.UsageError
	)
	switch {
	case errors.As(err, &usage):
		return usage
	case errors.As(err, &settings):
		return cli.Usage("%w", err)
	case errors.As(err, &edit):
		return cli.Usage("ledger: %w", err).With(edit.Help...)
	case errors.As(err, &baseline), errors.As(err, &rev):
		return cli.Usage("ledger: %w", err)
	}
	return vetError(err)
}
