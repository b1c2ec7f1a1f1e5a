package analyzers

import "github.com/trainvet/trainvet/analyzers/site"

// answered leaves out the decodes of exported functions that only pass their
// argument on, where somebody in the tree calls the function: those calls are
// the sites. One that nobody calls by name stays, for its callers are out of
// sight: in other modules, or behind an interface. What a part of the tree
// calls says nothing of the rest, so there none stays.
func answered(list []site.Site, partial bool) []site.Site {
	called := map[string]bool{}
	for i := range list {
		if list[i].Through != "" && !list[i].Test {
			called[list[i].Through] = true
		}
	}
	kept := list[:0]
	for _, s := range list {
		if s.Passes != "" {
			if partial || called[s.Passes] {
				continue
			}
			s.Why = "its ids are the argument of " + s.Passes + ", which nothing in this tree calls by name, so that nothing here checks them"
		}
		kept = append(kept, s)
	}
	return kept
}
