package analyzers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python"
	"github.com/trainvet/trainvet/analyzers/site"
)

// asked is what the patterns mean to each front end.
type asked struct {
	golang []string // patterns for the go command; none: it is not needed
	python python.Options
}

// whole makes of each pattern that names a folder one of all that lies below
// it: who types "trainvet vet ." means the tree, not the one package.
func whole(dir string, patterns []string) []string {
	out := slices.Clone(patterns)
	for i, p := range out {
		at := p
		if !filepath.IsAbs(at) {
			at = filepath.Join(dir, at)
		}
		if info, err := os.Stat(at); err != nil || !info.IsDir() {
			continue
		}
		if !filepath.IsAbs(p) && !strings.HasPrefix(p, ".") {
			p = "./" + p // to the go command a bare word is an import path
		}
		out[i] = strings.TrimSuffix(filepath.ToSlash(p), "/") + "/..."
	}
	return out
}

// sortPatterns gives each front end what it can read: folders with what lies
// below to both, import paths to Go, single files to Python.
func sortPatterns(dir string, patterns []string) asked {
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	var a asked
	for _, p := range patterns {
		base, recursive := strings.CutSuffix(filepath.ToSlash(p), "...")
		at := filepath.FromSlash(strings.TrimSuffix(base, "/"))
		if !filepath.IsAbs(at) {
			at = filepath.Join(dir, at)
		}
		info, err := os.Stat(at)
		switch {
		case err == nil && !info.IsDir() && python.IsSource(at):
			a.python.Files = append(a.python.Files, at)
			continue
		case err == nil && info.IsDir() && recursive:
			a.python.Folders = append(a.python.Folders, at)
		}
		a.golang = append(a.golang, p)
	}
	return a
}

// scanPython adds what the front end for Python finds.
func (t *Tree) scanPython(ctx context.Context, opt python.Options) error {
	opt.Root = t.Root
	if len(opt.Folders)+len(opt.Files) == 0 {
		return nil
	}
	res, err := python.Scan(ctx, opt)
	if err != nil {
		return fmt.Errorf("reading the Python files: %w", err)
	}
	t.Scan.Sites = append(t.Scan.Sites, res.Sites...)
	t.Scan.Findings = append(t.Scan.Findings, res.Findings...)
	t.Scan.Ignores = append(t.Scan.Ignores, res.Ignores...)
	t.Scan.Units = append(t.Scan.Units, res.Units...)
	t.pythonGaps(res)
	return nil
}

// pythonGaps lists the files that were not, or not wholly, analysed, and the
// calls that no rule could tell.
func (t *Tree) pythonGaps(res *python.Result) {
	rows := t.rowFiles()
	dark := map[string][]string{}
	var doubts []string
	for _, p := range res.Possible {
		at := p.At.File
		if p.At.Line > 0 {
			at = fmt.Sprintf("%s:%d", at, p.At.Line)
		}
		if p.At.Cell > 0 {
			at = fmt.Sprintf("%s: cell %d, line %d", p.At.File, p.At.Cell, p.At.Line)
		}
		if p.Dark {
			if !python.IsTest(p.Unit) {
				dark[p.Unit] = append(dark[p.Unit], at+": "+firstOf(p.Name, p.Why))
			}
			continue
		}
		doubts = append(doubts, at+": "+p.Name)
	}
	for i := range res.Units {
		u := &res.Units[i]
		if u.Problem == "" {
			continue
		}
		g := site.Gap{What: u.Name, Why: u.Problem, At: u.At, Unanalysed: true, Names: dark[u.Name]}
		if rows[u.Name] && !python.IsTest(u.Name) {
			g.Names = append(g.Names, u.Name+": rows of the ledger")
		}
		g.Matters = len(g.Names) > 0
		t.Gaps = append(t.Gaps, g)
	}
	if n := len(doubts); n > 0 {
		g := site.Gap{What: fmt.Sprintf("%d Python calls", n), Why: "nothing tells whether they decode ids or step an optimizer; # trainvet: decode ids=0 or step, above the function that is called, tells", Names: doubts}
		if n == 1 {
			g.What, g.Why = "1 Python call", strings.Replace(g.Why, "they decode ids or step", "it decodes ids or steps", 1)
		}
		t.Gaps = append(t.Gaps, g)
	}
}

func firstOf(texts ...string) string {
	i := slices.IndexFunc(texts, func(s string) bool { return s != "" })
	if i < 0 {
		return ""
	}
	return texts[i]
}
