package ledger

import "slices"

// Change is a row that differs between two ledgers.
type Change struct {
	Before, After *Row // nil: was not there, is not there any more
	How           How  // of a pair: Same (other words), Moved, Reshaped
}

// Diff says what changed from one ledger to another. Rows are followed by the
// ladder, so that a move is one change and not two.
func Diff(before, after Ledger) []Change {
	keys := make([]Key, len(after.Rows))
	files := map[string]bool{}
	for i, r := range after.Rows {
		keys[i] = r.Key()
		files[r.ID.Path] = true
	}
	p := match(keys, before.Rows, tree{whole: true, present: func(f string) bool { return files[f] }})
	var out []Change
	for i := range after.Rows {
		c := Change{After: &after.Rows[i], How: p.how[i]}
		if r := p.rows[i]; r >= 0 {
			c.Before = &before.Rows[r]
			if c.Before.String() == c.After.String() {
				continue
			}
			if c.How == Ambiguous {
				c.How = Same
			}
		}
		out = append(out, c)
	}
	for i := range before.Rows {
		if !p.taken[i] {
			out = append(out, Change{Before: &before.Rows[i]})
		}
	}
	slices.SortStableFunc(out, func(a, b Change) int {
		return slices.Compare([]string{a.name().ID.String(), a.name().String()}, []string{b.name().ID.String(), b.name().String()})
	})
	return out
}

func (c Change) name() *Row {
	if c.After != nil {
		return c.After
	}
	return c.Before
}
