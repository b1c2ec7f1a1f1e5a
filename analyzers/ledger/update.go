package ledger

import "github.com/trainvet/trainvet/analyzers/site"

// Update brings the rows up to date with a scan: it adds guarded and counted
// sites, follows those that moved or were rewritten, says the states anew, and
// after a complete scan takes out rows that have no site. Exemptions stay, and
// those that were suspended stay suspended. A site that fails goes on failing.
func Update(l *Ledger, scan *site.Scan, opt Options) Ledger {
	e := edit(l, scan, opt)
	for range maxRounds {
		e.update()
		next := e.ledger()
		if before := e.given; string(before.Format()) == string(next.Format()) {
			return next
		}
		e = edit(&next, scan, opt)
	}
	return e.given
}

// maxRounds bounds how often a written row may make clear what another means;
// each time there is one question less.
const maxRounds = 8

func (e *editor) update() {
	var rows []Row // written when all old names are gone: ordinals shift
	for _, a := range e.all() {
		if r, ok := e.follow(a); ok && !a.Site.Test {
			rows = append(rows, r)
			if a.Row != nil {
				e.drop(a.Row.Key())
			}
		}
	}
	for _, r := range e.Stale {
		if !e.undecided(r) {
			e.drop(r.Key())
		}
	}
	for _, r := range rows {
		e.put(r)
	}
}

// undecided reports whether a row without a site is an exemption that a person
// has yet to place, among calls that fail, or one of equal rows of which one is.
func (e *editor) undecided(r Row) bool {
	for _, a := range e.all() {
		k := keyOf(&a.Site)
		switch {
		case a.How == Ambiguous && k.group() == r.Key().group():
			return true
		case a.How == New && e.fails(a) && k.group().place() == r.Key().group().place() && r.State == site.Exempt:
			return true
		}
	}
	return false
}

// follow returns the row of a site as it is to be from now on; false: there is
// none to write.
func (e *editor) follow(a *Judged) (Row, bool) {
	stated := Row{Kind: a.Site.Kind, ID: a.Site.ID, Shape: a.Site.Shape, State: a.Site.State}
	fine := !e.fails(a)
	switch {
	case e.open(a):
		return Row{}, false
	case a.Row == nil:
		// Where not all is known an exemption of this place may be its own.
		return stated, fine && (e.whole || !e.waiting[keyOf(&a.Site).group().place()])
	case a.How == Reshaped && !e.whole:
		return Row{}, false // the row of another file may be waiting for its key
	case a.Row.State != site.Exempt, fine && (a.Row.IsBaseline() || a.How == Reshaped):
		// The debt is paid, or the exemption was for another call and this one
		// needs none.
		stated.Tags = a.Row.Tags
		return stated, true
	case a.How == Moved:
		moved := *a.Row
		moved.ID = a.Site.ID
		return moved, true
	}
	return Row{}, false
}

// fails reports whether something has to be said for a site or handler.
func (e *editor) fails(a *Judged) bool { return a.Site.Kind == site.Handler || a.Site.State.Fails() }
