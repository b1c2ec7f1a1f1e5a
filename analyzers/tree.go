package analyzers

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/golang/driver"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
	"github.com/trainvet/trainvet/analyzers/ledger"
	"github.com/trainvet/trainvet/analyzers/rules"
	"github.com/trainvet/trainvet/analyzers/site"
)

// LedgerName is the file that holds the guard ledger.
const LedgerName = ledger.FileName

// Options say what to analyse.
type Options struct {
	Dir      string   // absolute; where the patterns start and the ledger is looked for; empty: the working folder
	Patterns []string // folders with all below, import paths as the go command takes them, Python files; none: ./...
	TagSets  []string // comma lists of build tags, one run each; none: one run without
	Tool     string   // program that runs the units; empty: this one
	Env      []string // nil: that of the process
	// PythonGuards and PythonSource are Guards and Source of python.Options.
	PythonGuards []string
	PythonSource bool
	// Rules are those that run.
	Rules rules.Selection
}

// Tree is what the front ends found, and the ledger beside it.
type Tree struct {
	Root   string         // absolute; every file is named from here
	Ledger *ledger.Ledger // nil: there is none
	Scan   site.Scan
	Began  time.Time // a file that is younger may not be what was analysed
	Nested []Nested  // parts with a ledger of their own; Scan holds the rest
	// Gaps are what was not looked at, though it lies in the tree.
	Gaps []site.Gap
}

// Scan runs the front ends and reads the ledger.
func Scan(ctx context.Context, opt Options) (*Tree, error) {
	dir, err := folder(opt.Dir)
	if err != nil {
		return nil, err
	}
	opt.Patterns = whole(dir, opt.Patterns)
	tool := opt.Tool
	if tool == "" {
		if tool, err = os.Executable(); err != nil {
			return nil, fmt.Errorf("finding this program: %w", err)
		}
	}
	t := &Tree{Began: time.Now(), Root: Root(start(dir, opt.Patterns))}
	if t.Ledger, err = ReadLedger(t.Root); err != nil {
		return nil, err
	}
	fronts := sortPatterns(dir, opt.Patterns)
	res := &driver.Result{}
	if len(fronts.golang) > 0 {
		res, err = driver.Run(ctx, driver.Options{Dir: dir, Patterns: fronts.golang, TagSets: opt.TagSets, Tool: tool, Env: opt.Env, Names: suspect()})
		if err != nil {
			return nil, err
		}
	}
	named := from(t.Root)
	t.Scan = named.scan(site.Scan{Root: t.Root, Sites: res.Sites, Findings: res.Findings, Ignores: res.Ignores, Units: res.Units})
	covers := covering{dir, opt.Patterns}
	t.Scan.Partial = covers.partial(t.Root)
	t.Scan.Sites = answered(t.Scan.Sites, t.Scan.Partial != "")
	t.findGaps(res, named)
	fronts.python.Guards, fronts.python.Source = opt.PythonGuards, opt.PythonSource
	fronts.python.Rules = func(code string) bool { return opt.Rules.Anywhere(code, "py") }
	if err := t.scanPython(ctx, fronts.python); err != nil {
		return nil, err
	}
	t.Scan.Findings = selected(t.Scan.Findings, &opt.Rules)
	return t, t.split(covers)
}

// TreeOf is the root of the tree that patterns are of, seen from the working
// folder.
func TreeOf(patterns []string) (string, error) {
	dir, err := folder("")
	if err != nil {
		return "", err
	}
	return Root(start(dir, whole(dir, patterns))), nil
}

// start is where the ledger is looked for: a single folder that is named, else
// the working folder.
func start(dir string, patterns []string) string {
	if len(patterns) != 1 {
		return dir
	}
	base := strings.TrimSuffix(strings.TrimSuffix(patterns[0], "..."), string(filepath.Separator))
	if !filepath.IsAbs(base) {
		base = filepath.Join(dir, base)
	}
	if info, err := os.Stat(base); err == nil && info.IsDir() {
		return base
	}
	return dir
}

func folder(dir string) (string, error) {
	if dir == "" {
		dir = "."
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("naming the working folder: %w", err)
	}
	return abs, nil
}

// Root finds the folder that files are named from: the nearest upwards with a
// ledger, else the work tree, else the module, else dir.
func Root(dir string) string { return unit.Root(dir) }

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// ReadLedger reads the ledger of a root; nil where there is none. What is
// wrong with its text is of type ledger.Errors.
func ReadLedger(root string) (*ledger.Ledger, error) {
	name := filepath.Join(root, LedgerName)
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the ledger: %w", err)
	}
	l, err := ledger.Parse(LedgerName, text)
	if err != nil {
		return nil, err
	}
	return &l, nil
}

// suspect tells names of sites for code that cannot be resolved by type.
func suspect() func(string) bool {
	known := catalog.Golang()
	names := map[string]bool{}
	for _, e := range known.Entries() {
		if e.Kind == catalog.Decode || e.Kind == catalog.Step || e.Kind == catalog.Implicit {
			names[e.Name] = true
		}
	}
	return func(name string) bool {
		return names[name] || known.Is("decode-ids", name) || known.Is("decode-id", name)
	}
}

// covering is what was asked for.
type covering struct {
	dir      string
	patterns []string
}

// partial says why a scan does not cover the tree below a root.
func (c covering) partial(root string) string {
	patterns := c.patterns
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	for _, p := range patterns {
		base, recursive := strings.CutSuffix(filepath.ToSlash(p), "...")
		at := filepath.FromSlash(strings.TrimSuffix(base, "/"))
		if !filepath.IsAbs(at) {
			at = filepath.Join(c.dir, at)
		}
		if recursive && (root == at || strings.HasPrefix(root, strings.TrimSuffix(at, string(filepath.Separator))+string(filepath.Separator))) {
			return ""
		}
	}
	return "only " + strings.Join(patterns, " ") + " was asked for"
}
