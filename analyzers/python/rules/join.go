package rules

import (
	"cmp"
	"slices"

	"github.com/trainvet/trainvet/analyzers/site"
)

// Note is what a rule left of a file.
type Note struct {
	File  string
	Value any
}

// Joined is what Finish reports to.
type Joined struct {
	rule  *Rule
	facts mask
	set   *Set
	out   []site.Finding
}

// Add reports a finding; its code is the rule's.
func (j *Joined) Add(f site.Finding) {
	f.Code = j.rule.Code
	j.out = append(j.out, f)
}

// Says reports whether a word of the rule's Facts stands in some file of the
// tree, tests aside.
func (j *Joined) Says(word string) bool { return j.facts.has(j.set.words.numbers[word]) }

// Join brings together what the runners found. The same files give the same
// findings, however many runners there were.
func (s *Set) Join(runners ...*Runner) []site.Finding {
	j := Joined{set: s}
	notes := map[string][]Note{}
	for _, r := range runners {
		for i := range j.facts {
			j.facts[i] |= r.seen[i]
		}
		for code, list := range r.notes {
			notes[code] = append(notes[code], list...)
		}
	}
	for _, r := range runners {
		for _, h := range r.out {
			if j.holds(&h) {
				j.out = append(j.out, h.Finding)
			}
		}
	}
	for i := range s.rules {
		j.rule = &s.rules[i].Rule
		if list := notes[j.rule.Code]; j.rule.Finish != nil {
			slices.SortStableFunc(list, func(a, b Note) int { return cmp.Compare(a.File, b.File) })
			j.rule.Finish(list, &j)
		}
	}
	site.Sort(j.out)
	return j.out
}

func (j *Joined) holds(h *held) bool {
	says := func(word string) bool { return j.Says(word) }
	return !slices.ContainsFunc(h.unless, says) && !slices.ContainsFunc(h.ifs, func(w string) bool { return !says(w) })
}
