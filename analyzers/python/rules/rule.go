package rules

import (
	"cmp"
	"slices"
	"strings"
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
	// Tests: it looks at test files too.
	Tests bool
	// Check looks at a file and reports.
	Check func(f *File, r *Report)
	// Finish looks at the notes that Check left, over all files; nil: none.
	Finish func(notes []Note, r *Joined)
}

// All returns every rule, by code.
func All() []Rule {
	list := slices.Concat(decodeRules(), faultRules(), deviceRules(), evaluationRules(), ampRules(), processRules(), gradientRules())
	slices.SortFunc(list, func(a, b Rule) int { return cmp.Compare(a.Code, b.Code) })
	return list
}

// any1 is a group of words, written with spaces between them.
func words(list string) []string { return strings.Fields(list) }

// maxWords bounds the words of all rules.
const maxWords = 512

// mask is a set of words.
type mask [maxWords / 64]uint64

func (m *mask) add(i int)      { m[i/64] |= 1 << (i % 64) }
func (m *mask) has(i int) bool { return m[i/64]&(1<<(i%64)) != 0 }

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
	needs []mask
}

// Set is the rules that are on. It may be used by several goroutines.
type Set struct {
	rules  []active
	filter *filter
	facts  mask
}

// NewSet makes a set of the rules whose code is on.
func NewSet(list []Rule, on func(code string) bool) *Set {
	s := &Set{filter: &filter{}}
	for _, r := range list {
		if !on(r.Code) {
			continue
		}
		a := active{Rule: r}
		for _, group := range r.Needs {
			var m mask
			for _, word := range group {
				m.add(s.filter.number(word))
			}
			a.needs = append(a.needs, m)
		}
		for _, word := range r.Facts {
			s.facts.add(s.filter.number(word))
		}
		s.rules = append(s.rules, a)
	}
	s.filter.build()
	return s
}

// Found is which words a text holds.
type Found struct{ mask mask }

// Look finds the words in a text. One pass, whatever their number.
func (s *Set) Look(text []byte) Found { return Found{s.filter.look(text)} }

// Any reports whether some rule looks at a file that holds these words.
func (s *Set) Any(found *Found, test bool) bool {
	for i := range s.rules {
		if s.rules[i].looks(found, test) {
			return true
		}
	}
	return false
}

func (a *active) looks(found *Found, test bool) bool {
	if test && !a.Tests || a.Check == nil {
		return false
	}
	for i := range a.needs {
		if !found.mask.meets(&a.needs[i]) {
			return false
		}
	}
	return true
}
