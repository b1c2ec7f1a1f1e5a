package analyzers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers/golang/driver"
	"github.com/trainvet/trainvet/analyzers/site"
)

// findGaps lists what was not looked at. A package that was not analysed
// matters where a row of the ledger or a possible site lies in it; test files
// are never gated and never matter.
func (t *Tree) findGaps(res *driver.Result) {
	rows := map[string]bool{}
	if t.Ledger != nil {
		for _, r := range t.Ledger.Rows {
			rows[r.ID.Path] = true
		}
	}
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
			if p.Unit == u.Name && slices.Contains(u.Files, t.name(p.At.File)) {
				g.Matters = true
				g.Names = append(g.Names, t.possibleName(p))
			}
		}
		slices.Sort(g.Names)
		g.Names = slices.Compact(g.Names)
		t.Gaps = append(t.Gaps, g)
	}
	t.excluded(res.Excluded, rows)
}

func (t *Tree) possibleName(p driver.Possible) string {
	at := t.name(p.At.File)
	if p.Name == "" {
		return at + ": it cannot be read as Go"
	}
	return fmt.Sprintf("%s:%d: %s", at, p.At.Line, p.Name)
}

// excluded names the files that no set of tags selects. Rows of the ledger in
// them are neither confirmed nor stale.
func (t *Tree) excluded(files []string, rows map[string]bool) {
	if len(files) == 0 {
		return
	}
	g := site.Gap{What: fmt.Sprintf("%d Go files", len(files)), Why: "their build constraints leave them out: give each set of tags that is built, --tags a,b --tags c"}
	if len(files) == 1 {
		g.What, g.Why = "1 Go file", "its build constraints leave it out: give each set of tags that is built, --tags a,b --tags c"
	}
	for _, f := range files {
		g.Names = append(g.Names, t.name(f))
		if rows[t.name(f)] {
			t.Scan.Units = append(t.Scan.Units, site.Unit{Name: t.name(f), Files: []string{t.name(f)}, Problem: "its build constraints leave it out"})
		}
	}
	t.Gaps = append(t.Gaps, g)
}

func isTest(file string) bool { return strings.HasSuffix(file, "_test.go") }
