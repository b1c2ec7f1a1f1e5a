package ledger

import (
	"fmt"
	"maps"
	"slices"

	"github.com/trainvet/trainvet/analyzers/site"
)

// EditError is an edit that cannot be meant.
type EditError struct {
	Site string
	Text string
	Help []string
}

func (e *EditError) Error() string { return e.Site + ": " + e.Text }

// Accept lets an exemption hold again whose call has changed, or of which it
// could not be told which of equal calls it meant. The reason stays.
func Accept(l *Ledger, scan *site.Scan, opt Options, target Key, by string) (Ledger, error) {
	e := edit(l, scan, opt)
	a, err := e.target(target)
	if err != nil {
		return Ledger{}, err
	}
	group := e.alike(&a.Site)
	row := e.orphan(a)
	e.settle()
	switch {
	case unclear(group):
		err = e.decide(a, group, by)
	case a.How == Moved || a.How == Reshaped:
		e.adopt(*a.Row, a, by)
	case row != nil:
		e.adopt(*row, a, by)
	case a.Row == nil:
		err = &EditError{a.Site.ID.String(), "no row can be its own", []string{"trainvet ledger exempt writes one"}}
	default:
		err = &EditError{a.Site.ID.String(), "its row fits, there is nothing to accept", nil}
	}
	if err != nil {
		return Ledger{}, err
	}
	return e.ledger(), nil
}

func (e *editor) target(k Key) (*Judged, error) {
	for _, a := range e.all() {
		if keyOf(&a.Site) == k {
			return a, nil
		}
	}
	return nil, &EditError{k.ID.String(), "the scan has no such site", nil}
}

// adopt gives a row to a site, under the site's name.
func (e *editor) adopt(row Row, a *Judged, by string) {
	e.drop(row.Key())
	e.put(adopted(row, a, by))
}

func adopted(row Row, a *Judged, by string) Row {
	row.ID, row.Shape = a.Site.ID, a.Site.Shape
	if row.State != site.Exempt {
		row.State = a.Site.State
	}
	if by != "" {
		row.By = by
	}
	return row
}

// orphan returns the one exemption without a site at the place of a; nil: there
// is none, or there are several.
func (e *editor) orphan(a *Judged) *Row {
	var found []Row
	owned := e.owned()
	for k, r := range e.rows {
		if !owned[k] && r.State == site.Exempt && k.group().place() == keyOf(&a.Site).group().place() {
			found = append(found, r)
		}
	}
	if len(found) != 1 {
		return nil
	}
	return &found[0]
}

// owned are the rows that a site was paired with.
func (e *editor) owned() map[Key]bool {
	out := map[Key]bool{}
	for _, a := range e.all() {
		if a.Row != nil {
			out[a.Row.Key()] = true
		}
	}
	return out
}

// decide settles which of equal calls the rows of a group mean. The named one
// gets the exemption; each other keeps the row that stands in its turn, or is
// put on record as it is.
func (e *editor) decide(a *Judged, group []*Judged, by string) error {
	rows := map[*Judged]*Row{}
	var spare []*Row // exemptions that no failing call stands for
	for _, b := range group {
		if b != a && b.How != Ambiguous {
			continue // a row of another shape at most, which stays where it is
		}
		rows[b] = b.Row
		if b != a && b.Row != nil && b.Row.State == site.Exempt && b.Site.Kind != site.Handler && !b.Site.State.Fails() {
			spare = append(spare, b.Row)
		}
	}
	owned, own := e.owned(), keyOf(&a.Site).group()
	for k, r := range e.rows {
		if !owned[k] && r.State == site.Exempt && k.group() == own {
			spare = append(spare, &r)
		}
	}
	if a.Row == nil || a.Row.State != site.Exempt {
		if len(spare) != 1 {
			return &EditError{a.Site.ID.String(), fmt.Sprintf("%d exemptions may be meant for it", len(spare)),
				[]string{"accept the other equal calls of this function first, then exempt this one by a reason of its own"}}
		}
		for b, r := range rows {
			if r == spare[0] {
				rows[b] = nil
			}
		}
		rows[a] = spare[0]
	}
	if a.Site.Kind == site.Handler && slices.ContainsFunc(group, func(b *Judged) bool { return rows[b] == nil }) {
		return &EditError{a.Site.ID.String(), "an equal handler of this function has no row, and a handler cannot be put on record as it is",
			[]string{"mend the other one, or exempt it too"}}
	}
	maps.DeleteFunc(e.rows, func(k Key, _ Row) bool { return k.group() == own || a.Row != nil && k == a.Row.Key() })
	for _, b := range group {
		switch r := rows[b]; {
		case r == nil:
			e.pin([]*Judged{{Site: b.Site}})
		case b == a:
			e.put(adopted(*r, b, by))
		default:
			e.put(adopted(*r, b, ""))
		}
	}
	return nil
}
