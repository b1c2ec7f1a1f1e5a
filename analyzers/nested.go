package analyzers

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers/ledger"
	"github.com/trainvet/trainvet/analyzers/site"
)

// Nested is a part of a tree that has a ledger of its own: its files are named
// from there, and the ledgers above do not speak of them.
type Nested struct {
	Folder string // from the root of the tree
	Ledger *ledger.Ledger
	Scan   site.Scan
}

// split takes out the parts of the tree that have their own ledger.
func (t *Tree) split(patterns covering) error {
	folders := t.ledgersBelow()
	for _, folder := range folders {
		l, err := ReadLedger(filepath.Join(t.Root, filepath.FromSlash(folder)))
		if err != nil {
			return err
		}
		n := Nested{Folder: folder, Ledger: l, Scan: site.Scan{Root: filepath.Join(t.Root, filepath.FromSlash(folder))}}
		n.Scan.Partial = patterns.partial(n.Scan.Root)
		t.Nested = append(t.Nested, n)
	}
	owner := func(file string) *site.Scan {
		for i := range t.Nested { // the deepest first
			if strings.HasPrefix(file, t.Nested[i].Folder+"/") {
				return &t.Nested[i].Scan
			}
		}
		return nil
	}
	t.Scan.Sites = hand(t.Scan.Sites, func(s *site.Site) (*site.Scan, func(*site.Scan)) {
		return owner(s.At.File), func(to *site.Scan) { to.Sites = append(to.Sites, *s) }
	})
	t.Scan.Findings = hand(t.Scan.Findings, func(f *site.Finding) (*site.Scan, func(*site.Scan)) {
		return owner(f.At.File), func(to *site.Scan) { to.Findings = append(to.Findings, *f) }
	})
	t.Scan.Ignores = hand(t.Scan.Ignores, func(ig *site.Ignore) (*site.Scan, func(*site.Scan)) {
		return owner(ig.At.File), func(to *site.Scan) { to.Ignores = append(to.Ignores, *ig) }
	})
	t.Scan.Units = hand(t.Scan.Units, func(u *site.Unit) (*site.Scan, func(*site.Scan)) {
		return owner(append(slices.Clone(u.Files), u.Name+"/")[0]), func(to *site.Scan) { to.Units = append(to.Units, *u) }
	})
	for i := range t.Nested {
		n := &t.Nested[i]
		n.Scan = below(n.Folder).scan(n.Scan)
	}
	return nil
}

// hand gives the elements that belong elsewhere to whom they belong to, and
// returns the rest.
func hand[T any](list []T, owner func(*T) (*site.Scan, func(*site.Scan))) []T {
	rest := list[:0:0]
	for i := range list {
		if to, give := owner(&list[i]); to != nil {
			give(to)
			continue
		}
		rest = append(rest, list[i])
	}
	return rest
}

// ledgersBelow finds the folders between the root and an analysed file that
// hold a ledger, the deepest first.
func (t *Tree) ledgersBelow() []string {
	seen := map[string]bool{".": true, "/": true}
	var out []string
	for i := range t.Scan.Units {
		for _, f := range t.Scan.Units[i].Files {
			for dir := path.Dir(f); !seen[dir]; dir = path.Dir(dir) {
				seen[dir] = true
				if !path.IsAbs(dir) && exists(filepath.Join(t.Root, filepath.FromSlash(dir), LedgerName)) {
					out = append(out, dir)
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b string) int { return strings.Compare(b, a) })
	return out
}

// judge holds the part against its ledger and names the result from the root
// of the tree.
func (n *Nested) judge(opt ledger.Options) ledger.Judgement {
	up := above(n.Folder)
	if isNew := opt.New; isNew != nil {
		opt.New = func(s site.Site) bool { return isNew(up.site(s)) }
	}
	return up.judgement(ledger.Judge(n.Ledger, &n.Scan, opt))
}
