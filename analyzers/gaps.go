package analyzers

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers/golang/driver"
	"github.com/trainvet/trainvet/analyzers/ledger"
	"github.com/trainvet/trainvet/analyzers/site"
)

// findGaps lists what was not looked at. A package that was not analysed
// matters where a row of a ledger or a possible site lies in it; test files
// are never gated and never matter.
func (t *Tree) findGaps(res *driver.Result, named naming) {
	rows := t.rowFiles()
	for i := range t.Scan.Units {
		u := &t.Scan.Units[i]
		if u.Problem == "" {
			continue
		}
		g := site.Gap{What: u.Name, Why: u.Problem, At: u.At, Unanalysed: true, Matters: len(u.Files) == 0}
		if len(u.Tags) > 0 {
			g.What += " (tags " + strings.Join(u.Tags, ",") + ")"
		}
		for _, f := range u.Files {
			if rows[f] && !isTest(f) {
				g.Matters = true
				g.Names = append(g.Names, f+": rows of the ledger")
			}
		}
		for _, p := range res.Possible {
			if p.Unit == u.Name && slices.Contains(u.Files, named(p.At.File)) {
				g.Matters = true
				g.Names = append(g.Names, possibleName(named(p.At.File), p))
			}
		}
		slices.Sort(g.Names)
		g.Names = slices.Compact(g.Names)
		t.Gaps = append(t.Gaps, g)
	}
	excluded := slices.Clone(res.Possible)
	for i := range excluded {
		excluded[i].At.File = named(excluded[i].At.File)
	}
	t.excluded(each(res.Excluded, named), excluded, rows)
}

// rowFiles are the files of which the ledger speaks, its own and those below.
func (t *Tree) rowFiles() map[string]bool {
	files := map[string]bool{}
	add := func(l *ledger.Ledger, n naming) {
		if l == nil {
			return
		}
		for _, r := range l.Rows {
			files[n(r.ID.Path)] = true
		}
	}
	add(t.Ledger, func(f string) string { return f })
	for _, folder := range t.ledgersBelow() {
		// One that cannot be read ends the scan when its turn comes.
		l, _ := ReadLedger(filepath.Join(t.Root, filepath.FromSlash(folder)))
		add(l, above(folder))
	}
	return files
}

func possibleName(file string, p driver.Possible) string {
	if p.Name == "" {
		return file + ": it cannot be read as Go"
	}
	return fmt.Sprintf("%s:%d: %s", file, p.At.Line, p.Name)
}

// wayIn is how a file is brought in that build constraints leave out.
const wayIn = "give each set of tags that is built (--tags a,b --tags c), GOOS for another system"

// excluded names the files that no set of tags selects. Rows of the ledger in
// them are neither confirmed nor stale: somebody looked at them on another
// system or with other tags. A possible site in a file without rows is one that
// nobody is known to have looked at.
func (t *Tree) excluded(files []string, possible []driver.Possible, rows map[string]bool) {
	inFile := map[string][]string{}
	for _, p := range possible {
		if p.Unit == "" {
			inFile[p.At.File] = append(inFile[p.At.File], possibleName(p.At.File, p))
		}
	}
	ledgered := t.Ledger != nil || len(t.ledgersBelow()) > 0 // without one nothing is judged
	var quiet []string
	for _, f := range files {
		if rows[f] {
			t.Scan.Units = append(t.Scan.Units, site.Unit{Name: f, Files: []string{f}, Problem: "its build constraints leave it out"})
		}
		if len(inFile[f]) == 0 || rows[f] {
			quiet = append(quiet, f)
			continue
		}
		t.Gaps = append(t.Gaps, site.Gap{What: f, Why: "its build constraints leave it out: " + wayIn, Unanalysed: true, Matters: ledgered, Names: inFile[f]})
	}
	switch len(quiet) {
	case 0:
	case 1:
		t.Gaps = append(t.Gaps, site.Gap{What: "1 Go file", Why: "its build constraints leave it out: " + wayIn, Names: quiet})
	default:
		t.Gaps = append(t.Gaps, site.Gap{What: fmt.Sprintf("%d Go files", len(quiet)), Why: "their build constraints leave them out: " + wayIn, Names: quiet})
	}
}

// bounds says what the ledger was not held against.
func (t *Tree) bounds() {
	if t.Ledger != nil && t.Scan.Partial != "" {
		t.Gaps = append(t.Gaps, site.Gap{What: "the rest of the tree that the ledger speaks of", Why: t.Scan.Partial + ", so that no row is called stale"})
	}
	t.unledgered()
}

// unledgered says that sites lie beside the ledgers of a tree, and below none:
// they would fail in a tree with one.
func (t *Tree) unledgered() {
	if t.Ledger != nil || len(t.Nested) == 0 {
		return
	}
	n := 0
	for i := range t.Scan.Sites {
		if !t.Scan.Sites[i].Test {
			n++
		}
	}
	if n > 0 {
		t.Gaps = append(t.Gaps, site.Gap{What: fmt.Sprintf("sites without a ledger above them: %d", n), Why: "they fail nothing; trainvet ledger update at the top of the tree writes one"})
	}
}

func comparePlaces(a, b site.Position) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

func isTest(file string) bool { return strings.HasSuffix(file, "_test.go") }
