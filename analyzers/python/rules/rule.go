package rules

import (
	"bytes"
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

// active is a rule that is on, with its words by number.
type active struct {
	Rule
	needs [][]int // the group that is found the fastest first
}

// Set is the rules that are on. It may be used by several goroutines.
type Set struct {
	rules  []active
	words  *words
	source *filter // of one group of each rule, and of facts, as far as they are long enough
	tests  *filter // the same for tests, at which few rules look
	others *filter // of all other words
	facts  []int
}

// longEnough is the length from which on a word costs the pass over a text no
// speed; a shorter one is looked for by itself.
const longEnough = 6

// NewSet makes a set of the rules whose code is on.
func NewSet(list []Rule, on func(code string) bool) *Set {
	s := &Set{words: &words{numbers: map[string]int{}}}
	var source, tests mask
	enter := func(m *mask, list []int) {
		for _, k := range list {
			if len(s.words.list[k]) >= longEnough {
				m.add(k)
			}
		}
	}
	for _, r := range list {
		if !on(r.Code) {
			continue
		}
		a := active{Rule: r}
		for _, group := range byLength(r.Needs) {
			a.needs = append(a.needs, s.words.set(group))
		}
		if len(a.needs) > 0 {
			enter(&source, a.needs[0])
			if r.Tests {
				enter(&tests, a.needs[0])
			}
		}
		s.facts = append(s.facts, s.words.set(r.Facts)...)
		s.rules = append(s.rules, a)
	}
	enter(&source, s.facts)
	s.source, s.tests = newFilter(s.words, source), newFilter(s.words, tests)
	var others mask
	for k := range s.words.list {
		if !source.has(k) {
			others.add(k)
		}
	}
	s.others = newFilter(s.words, others)
	return s
}

// byLength sorts groups by their shortest word, the longest first.
func byLength(groups [][]string) [][]string {
	shortest := func(g []string) int {
		n := 255
		for _, w := range g {
			n = min(n, len(w))
		}
		return n
	}
	out := slices.Clone(groups)
	slices.SortStableFunc(out, func(a, b []string) int { return cmp.Compare(shortest(b), shortest(a)) })
	return out
}

// maxRules bounds the rules.
const maxRules = 256

// Found is what a look at the bytes of a file found: words, and which rules have
// all that they need.
type Found struct {
	has, asked mask // words; those not asked for yet may stand there too
	others     bool // all words were asked for
	on         [maxRules / 64]uint64
}

// severalWords is the size of a group for which it pays to look for all words
// at once rather than one after the other.
const severalWords = 3

// Look finds out which rules look at a file. sited: it may hold a site.
func (s *Set) Look(text []byte, test, sited bool) Found {
	filter := s.source
	if test {
		filter = s.tests // of tests no fact is kept
	}
	found := Found{has: filter.look(text), asked: filter.some}
	for i := range s.rules {
		if a := &s.rules[i]; a.Check != nil && (!test || a.Tests) && (sited || !a.Sited) && s.needed(a, &found, text) {
			found.on[i/64] |= 1 << (i % 64)
		}
	}
	if !test {
		s.any(&found, text, s.facts, true)
	}
	return found
}

// needed reports whether a text has one word of each group of a rule.
func (s *Set) needed(a *active, found *Found, text []byte) bool {
	for _, group := range a.needs {
		if !s.any(found, text, group, false) {
			return false
		}
	}
	return a.Quick == nil || a.Quick(text)
}

// any reports whether one of some words stands in a text, as far as it is not
// known yet; all: each of them is looked for.
func (s *Set) any(found *Found, text []byte, list []int, all bool) bool {
	if !all {
		for _, k := range list {
			if found.has.has(k) {
				return true
			}
		}
	}
	any := false
	for _, k := range list {
		if !found.asked.has(k) && s.others.some.has(k) && !found.others && len(list) >= severalWords {
			found.others = true
			more := s.others.look(text)
			found.has.join(&more)
			found.asked.join(&s.others.some)
		}
		if found.asked.has(k) {
			any = any || found.has.has(k)
			continue
		}
		found.asked.add(k)
		if bytes.Contains(text, []byte(s.words.list[k])) {
			found.has.add(k)
			any = true
			if !all {
				return true
			}
		}
	}
	return any
}

// Any reports whether some rule looks at the file.
func (f *Found) Any() bool { return f.on != [maxRules / 64]uint64{} }
