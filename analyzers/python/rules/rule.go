package rules

import (
	"cmp"
	"slices"
	"sync"

	"github.com/trainvet/trainvet/analyzers/python/words"
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
	Quick func(g *Glance) bool
	// Searched are words at each of whose places Quick looks.
	Searched []string
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

// active is a rule that is on, with its words by number.
type active struct {
	Rule
	needs [][]int // the group with the longest words first, which is the rarest
}

// Set is the rules that are on. It may be used by several goroutines.
type Set struct {
	rules  []active
	words  *vocabulary
	placed mask // words of which each place is kept
	finder func() *words.Finder
}

// NewSet makes a set of the rules whose code is on.
func NewSet(list []Rule, on func(code string) bool) *Set {
	s := &Set{words: &vocabulary{numbers: map[string]int{}}}
	for _, r := range list {
		if !on(r.Code) {
			continue
		}
		a := active{Rule: r}
		for _, group := range byLength(r.Needs) {
			a.needs = append(a.needs, s.words.set(group))
		}
		s.words.set(r.Facts)
		for _, word := range r.Searched {
			s.placed.add(s.words.number(word))
		}
		s.rules = append(s.rules, a)
	}
	if len(s.rules) > 0 {
		frameworks := profileSigns()
		s.words.set(frameworks.words())
	}
	s.finder = sync.OnceValue(func() *words.Finder { return words.New(s.Words()) })
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
	has    mask // words
	on     [maxRules / 64]uint64
	places *Places // until it is judged
}

// Into keeps the places of words in memory that is used again.
func (f *Found) Into(p *Places) {
	p.list, p.more = p.list[:0], false
	f.places = p
}

// Words are those that one pass over a text is to find.
func (s *Set) Words() []words.Word {
	out := make([]words.Word, len(s.words.list))
	for k, word := range s.words.list {
		out[k] = words.Word{Text: word}
	}
	return out
}

// Saw notes that a text holds the word k of Words at an offset.
func (s *Set) Saw(found *Found, k, at int) {
	found.has.add(k)
	if found.places != nil && s.placed.has(k) {
		found.places.add(k, at)
	}
}

// Judge finds out which rules look at a file, once all of Words were looked
// for. sited: it may hold a site.
func (s *Set) Judge(found *Found, text []byte, test, sited bool) {
	glance := Glance{Text: text, found: found, set: s}
	for i := range s.rules {
		if a := &s.rules[i]; a.Check != nil && (!test || a.Tests) && (sited || !a.Sited) && s.needed(a, &glance) {
			found.on[i/64] |= 1 << (i % 64)
		}
	}
	found.places = nil
}

// Look is all of it: which rules look at a file.
func (s *Set) Look(text []byte, test, sited bool) Found {
	var found Found
	found.Into(&Places{})
	s.finder().Each(text, func(k, at int) bool {
		s.Saw(&found, k, at)
		return true
	})
	s.Judge(&found, text, test, sited)
	return found
}

// needed reports whether a text has one word of each group of a rule.
func (s *Set) needed(a *active, g *Glance) bool {
	for _, group := range a.needs {
		if !g.found.any(group) {
			return false
		}
	}
	return a.Quick == nil || a.Quick(g)
}

// any reports whether one of some words stands in the text.
func (f *Found) any(list []int) bool {
	return slices.ContainsFunc(list, f.has.has)
}

// Any reports whether some rule looks at the file.
func (f *Found) Any() bool { return f.on != [maxRules / 64]uint64{} }
