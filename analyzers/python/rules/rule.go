package rules

import (
	"cmp"
	"slices"
)

// Rule is one code.
type Rule struct {
	Code string // TV201; its text and tier stand in analyzers/rules
	// Needs are groups of words: a file must hold one of each group, or the rule
	// does not look at it. The rarer the words, the faster.
	Needs [][]string
	// Facts are words of which a finding's conditions speak: which files of the
	// tree hold them is kept.
	Facts []string
	// Quick looks once more at the bytes of a file that holds the words; false: it
	// need not be parsed for this rule. Nil: it must.
	Quick func(text []byte) bool
	// Tests: it looks at test files too.
	Tests bool
	// Sited: it looks only at files that may hold a site.
	Sited bool
	// Check looks at a file and reports.
	Check func(f *File, r *Report)
	// Finish looks at the notes that Check left, over all files; nil: none.
	Finish func(notes []Note, r *Joined)
}

// All returns every rule, by code.
func All() []Rule {
	list := slices.Concat(decodeRules(), faultRules(), evaluationRules(), deviceRules(), processRules(), ampRules(), gradientRules())
	slices.SortFunc(list, func(a, b Rule) int { return cmp.Compare(a.Code, b.Code) })
	return list
}

// maxWords bounds the words of all rules.
const maxWords = 512

// mask is a set of words.
type mask [maxWords / 64]uint64

func (m *mask) add(i int)      { m[i/64] |= 1 << (i % 64) }
func (m *mask) has(i int) bool { return m[i/64]&(1<<(i%64)) != 0 }

func (m *mask) join(o *mask) {
	for i := range m {
		m[i] |= o[i]
	}
}

func (m *mask) meets(o *mask) bool {
	for i := range m {
		if m[i]&o[i] != 0 {
			return true
		}
	}
	return false
}

// active is a rule that is on, with its words as sets.
type active struct {
	Rule
	number int
	anchor mask // the group whose shortest word is the longest
	needs  []mask
}

// Set is the rules that are on. It may be used by several goroutines.
type Set struct {
	rules   []active
	words   *words
	anchors *filter // of one group of each rule, and of facts
	rest    *filter // of the other groups: looked for where an anchor stands
	facts   mask
}

// NewSet makes a set of the rules whose code is on.
func NewSet(list []Rule, on func(code string) bool) *Set {
	s := &Set{words: &words{numbers: map[string]int{}}}
	var anchors, rest mask
	for _, r := range list {
		if !on(r.Code) {
			continue
		}
		a := active{Rule: r, number: len(s.rules)}
		best := anchorGroup(r.Needs)
		for i, group := range r.Needs {
			m := s.words.set(group)
			if i == best {
				a.anchor = m
				anchors.join(&m)
			} else {
				a.needs = append(a.needs, m)
				rest.join(&m)
			}
		}
		facts := s.words.set(r.Facts)
		s.facts.join(&facts)
		s.rules = append(s.rules, a)
	}
	anchors.join(&s.facts)
	s.anchors, s.rest = newFilter(s.words, &anchors), newFilter(s.words, &rest)
	return s
}

// anchorGroup is the group that is found the fastest.
func anchorGroup(groups [][]string) int {
	best, length := 0, 0
	for i, g := range groups {
		shortest := 255
		for _, w := range g {
			shortest = min(shortest, len(w))
		}
		if shortest > length {
			best, length = i, shortest
		}
	}
	return best
}

// Found is which words a text holds.
type Found struct {
	mask mask
	off  [maxRules / 64]uint64 // rules that a second look took out, by number
}

// maxRules bounds the rules.
const maxRules = 256

// Look finds the words in a text that decide whether a rule may run.
func (s *Set) Look(text []byte, test, sited bool) Found {
	found := Found{mask: s.anchors.look(text)}
	for i := range s.rules {
		if a := &s.rules[i]; a.takes(test, sited) && found.mask.meets(&a.anchor) && len(a.needs) > 0 {
			rest := s.rest.look(text)
			found.mask.join(&rest)
			break
		}
	}
	for i := range s.rules {
		if a := &s.rules[i]; a.Quick != nil && a.looks(&found, test, sited) && !a.Quick(text) {
			found.off[i/64] |= 1 << (i % 64)
		}
	}
	return found
}

// Any reports whether some rule looks at a file that holds these words.
func (s *Set) Any(found *Found, test, sited bool) bool {
	for i := range s.rules {
		if s.rules[i].looks(found, test, sited) {
			return true
		}
	}
	return false
}

// takes reports whether a rule is for files of a kind.
func (a *active) takes(test, sited bool) bool {
	return a.Check != nil && (!test || a.Tests) && (sited || !a.Sited)
}

func (a *active) looks(found *Found, test, sited bool) bool {
	if !a.takes(test, sited) || !found.mask.meets(&a.anchor) || found.off[a.number/64]&(1<<(a.number%64)) != 0 {
		return false
	}
	for i := range a.needs {
		if !found.mask.meets(&a.needs[i]) {
			return false
		}
	}
	return true
}
