package python

import (
	"github.com/trainvet/trainvet/analyzers/python/rules"
	"github.com/trainvet/trainvet/analyzers/python/sites"
	"github.com/trainvet/trainvet/analyzers/python/words"
)

// looker tells by the bytes of a file what has to be made of it. One pass finds
// the words of sites and those of all rules.
type looker struct {
	filter *sites.Filter
	set    *rules.Set
	finder *words.Finder
	first  int // the words from here on are those of rules
	ruled  bool
}

func newLooker(filter *sites.Filter, set *rules.Set) *looker {
	list := filter.Words()
	l := &looker{filter: filter, set: set, first: len(list)}
	more := set.Words()
	l.ruled = len(more) > 0
	l.finder = words.New(append(list, more...))
	return l
}

// look reports whether a text may hold a site, and which rules look at it.
// places are memory that is used again.
func (l *looker) look(text []byte, test bool, places *rules.Places) (sited bool, found rules.Found) {
	found.Into(places)
	sited = !l.filter.Needs() || isWide(text)
	if sited && !l.ruled {
		return sited, found
	}
	l.finder.Each(text, func(k, start int) bool {
		switch {
		case k >= l.first:
			l.set.Saw(&found, k-l.first, start)
		case !sited:
			sited = l.filter.Stands(text, k, start)
		}
		return l.ruled || !sited
	})
	l.set.Judge(&found, text, test, sited)
	return sited, found
}
