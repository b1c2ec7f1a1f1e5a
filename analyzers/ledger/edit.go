package ledger

import (
	"slices"

	"github.com/trainvet/trainvet/analyzers/site"
)

// An edit takes a ledger and a scan and returns a new ledger: nothing is
// written here. None of them lets a site pass that failed, but for those that
// a person names with a reason (Exempt), has read again (Accept) or puts on
// record as debt with an end (Baseline).

// editor changes a copy of a ledger.
type editor struct {
	Judgement
	given  Ledger
	rows   map[Key]Row
	groups map[group][]*Judged // equal calls, in the order of the file
	// waiting are the places where an exemption without a site waits for a
	// person: nothing else may decide for it.
	waiting map[group]bool
	whole   bool // the scan covers the tree
}

func edit(l *Ledger, scan *site.Scan, opt Options) *editor {
	if l == nil {
		l = &Ledger{}
	}
	own := Ledger{Comments: slices.Clone(l.Comments), Rows: slices.Clone(l.Rows)}
	e := &editor{Judgement: Judge(&own, scan, opt), given: own, rows: map[Key]Row{}, groups: map[group][]*Judged{}, waiting: map[group]bool{}, whole: scan.Complete()}
	for _, r := range own.Rows {
		e.rows[r.Key()] = r
	}
	for _, a := range e.all() {
		g := keyOf(&a.Site).group()
		e.groups[g] = append(e.groups[g], a)
	}
	owned := e.owned()
	for k, r := range e.rows {
		if r.State == site.Exempt && !owned[k] {
			e.waiting[k.group().place()] = true
		}
	}
	for _, list := range e.groups {
		slices.SortStableFunc(list, func(a, b *Judged) int { return a.Site.ID.Ordinal - b.Site.ID.Ordinal })
	}
	return e
}

func (e *editor) ledger() Ledger {
	l := Ledger{Comments: e.given.Comments}
	for _, r := range e.rows {
		r.Line = 0
		l.Rows = append(l.Rows, r)
	}
	l.Sort()
	return l
}

// put writes a row in place of the one of its key.
func (e *editor) put(r Row) { e.rows[r.Key()] = r }

func (e *editor) drop(k Key) { delete(e.rows, k) }

func keyOf(s *site.Site) Key { return Key{s.Kind, s.ID, s.Shape} }

// all returns what was judged: sites, then handlers.
func (e *editor) all() []*Judged {
	var out []*Judged
	for _, list := range [][]Judged{e.Sites, e.Handlers} {
		for i := range list {
			out = append(out, &list[i])
		}
	}
	return out
}

// alike returns the sites that differ from one in their ordinal only, itself
// among them.
func (e *editor) alike(of *site.Site) []*Judged { return e.groups[keyOf(of).group()] }

// settle writes down what has moved and takes out what is stale, so that no
// later row makes one of two, or two of one.
func (e *editor) settle() {
	for _, a := range e.all() {
		if a.How == Moved {
			e.adopt(*a.Row, a, "")
		}
	}
	for _, r := range e.Stale {
		if !e.undecided(r) {
			e.drop(r.Key())
		}
	}
}

// unclear reports whether it cannot be told which of several equal calls the
// rows mean.
func unclear(list []*Judged) bool {
	return slices.ContainsFunc(list, func(a *Judged) bool { return a.How == Ambiguous })
}

// open reports whether a person has to say first which of several equal calls
// is which, where this one is or where its row comes from.
func (e *editor) open(a *Judged) bool {
	return unclear(e.alike(&a.Site)) || a.Row != nil && unclear(e.groups[a.Row.Key().group()])
}

// pin writes what is known of equal calls that have no row, so that one more
// of them is seen: the ones that nothing guards as unguarded, which fail.
func (e *editor) pin(list []*Judged) {
	for _, a := range list {
		if a.Row == nil && a.Site.Kind != site.Handler {
			e.put(Row{Kind: a.Site.Kind, ID: a.Site.ID, Shape: a.Site.Shape, State: a.Site.State})
		}
	}
}
