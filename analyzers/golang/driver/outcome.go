package driver

import (
	"path/filepath"

	"github.com/trainvet/trainvet/analyzers/site"
)

// outcome is what became of the packages of one run that were asked for. What
// their imports said too is left out: they were not asked for.
type outcome struct {
	answers []*answer
	units   []site.Unit // one for each, with its problem where it did not answer
	// included are all files that were analysed, excluded those that build
	// constraints left out.
	included []string
	excluded []string
}

func newOutcome(j job, list []*listed, a *answers, tags string) *outcome {
	o := &outcome{}
	why := newReasons(j, list, a)
	for _, l := range list {
		for _, u := range l.units() {
			o.add(l, u, a, why)
		}
		o.excluded = append(o.excluded, l.files(l.IgnoredGoFiles)...)
	}
	if len(list) == 0 {
		if problem, at := why.ofAll(); problem != "" {
			o.units = append(o.units, site.Unit{Name: filepath.ToSlash(j.dir), Problem: problem, At: at})
		}
	}
	for i := range o.units {
		o.units[i].Tags = tagList(tags)
	}
	return o
}

func (o *outcome) add(l *listed, u site.Unit, a *answers, why *reasons) {
	if a.analysed(u.Name) {
		said := a.units[u.Name]
		o.answers = append(o.answers, said)
		o.units = append(o.units, *said.unit)
		o.included = append(o.included, said.unit.Files...)
		o.excluded = append(o.excluded, said.excluded...)
		if tests, ok := a.dropped[u.Name]; ok {
			o.units = append(o.units, tests)
		}
		return
	}
	u.Problem, u.At = why.of(l, u.Name)
	o.units = append(o.units, u)
}
