package compare

import (
	"fmt"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// items is what is known of the items behind a metric's values.
type items struct {
	ok    bool // the values are shares of them
	n     int
	scale float64 // 1, or 100 where the values are percent
	a, b  Share   // of the arms' first runs
	how   string
	notes []string
}

// mostLuck is how likely values may look like shares of n by accident and
// still be taken for them, where the name does not say that they are.
const mostLuck = 0.01

// itemsOf finds of how many items the values of a metric are shares: what the
// log says, what the user says, or what the values themselves show.
func itemsOf(key Key, a, b []Run, told int) items {
	g := items{}
	kind := a[0].Kinds[key]
	named := isShareName(key.Name)
	if !named && kind != evidence.KindAccuracy && kind != evidence.KindError {
		return g
	}
	ends := []Printed{last(key, &a[0]), last(key, &b[0])}
	all := ends
	for _, runs := range [][]Run{a, b} {
		for i := range runs {
			all = append(all, runs[i].Printed[key]...)
		}
	}
	g.scale = scaleOf(all)
	na, nb := samples(key, &a[0]), samples(key, &b[0])
	switch {
	case na > 0 && nb > 0:
		g.how = "the logs say so"
	case na > 0 || nb > 0:
		g.how = "one log says so"
		na, nb = max(na, nb), max(na, nb)
	case told > 0:
		na, nb, g.how = told, told, "as told"
	default:
		n, ok := RecoverN(all, g.scale)
		if !ok {
			g.notes = []string{"how many items stand behind a value is not known, and the values are printed too coarsely to tell: --n N, or --predictions, would allow a test"}
			return g
		}
		na, nb, named = n, n, true
		g.how = fmt.Sprintf("recovered from the values: all are whole numbers of 1/%d; the true count is that or a multiple, which --n can say", n)
	}
	ka, okA := shareOf(ends[0], na, g.scale)
	kb, okB := shareOf(ends[1], nb, g.scale)
	luck := chance(ends[0], na, g.scale) * chance(ends[1], nb, g.scale)
	switch {
	case !okA || !okB:
		g.notes = []string{fmt.Sprintf("the values are no whole numbers of 1/%d: they are no share of items", min(na, nb))}
		return g
	case !named && luck > mostLuck:
		g.notes = []string{"whether the values are shares of items cannot be seen from them: --predictions would allow a test"}
		return g
	}
	g.ok, g.n, g.a, g.b = true, min(na, nb), Share{ka, na}, Share{kb, nb}
	return g
}

func last(key Key, r *Run) Printed {
	c := r.claim(key)
	return Printed{float64(c.Value), c.Text}
}

func samples(key Key, r *Run) int {
	if n := r.claim(key).Samples; n != nil {
		return int(*n)
	}
	return 0
}
