package sites

import (
	"strings"
	"sync"

	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/python/words"
)

// Filter tells which files can hold a site, without parsing them: most hold
// none. It looks for the names that every site needs. Letter case is folded,
// which can only let more through.
type Filter struct {
	needles []needle
	all     bool // everything matches
	known   settling
	finder  func() *words.Finder // of the needles alone
}

// needle is a text whose last byte, and first if it is none of ".", ends at a
// word's border.
type needle struct {
	text         string
	start, alone bool // no name's byte may stand before it; behind it
	what         what
}

// NewFilter makes the filter of the catalogue. more are functions that
// directives name.
func NewFilter(more ...string) *Filter {
	c := catalog.Python()
	f := &Filter{known: newSettling(c)}
	for _, list := range []string{
		"decode-method", "decode-method-weak", "decode-method-plain", "decode-method-vocabulary", "step-method", "unscale-method", "framework-step",
		"update-params", "transcribe-method",
	} {
		for name := range c.List(list).Exact() {
			f.method(name, kindOf(list, name))
		}
	}
	for name := range c.List("decode-function").Exact() { // called as a method or by its name alone
		f.needles = append(f.needles, needle{text: name, alone: true})
	}
	for _, text := range f.known.grammar.needles() {
		f.needles = append(f.needles, needle{text: text, what: aPromise})
	}
	for name := range c.List("decode-call").Exact() {
		f.needles = append(f.needles, needle{text: name + "(", start: true, what: aFunction})
	}
	for name := range c.List("filter-word").Exact() {
		f.needles = append(f.needles, needle{text: name, start: true})
	}
	for name := range c.List("filter-text").Exact() {
		n := needle{text: name}
		if name == ".train(" {
			n.what = aTrain
		}
		f.needles = append(f.needles, n)
	}
	for _, name := range more {
		if len(name) < words.MinLen {
			f.all = true // too short to be looked for: then every file is parsed
			continue
		}
		f.needles = append(f.needles, needle{text: strings.ToLower(name), start: true, alone: true})
	}
	f.finder = sync.OnceValue(func() *words.Finder { return words.New(f.Words()) })
	return f
}

// kindOf says what of a call a name is.
func kindOf(list, name string) what {
	switch {
	case list == "decode-method-plain":
		return aDecode
	case list == "step-method" && name == "step":
		return aStep
	}
	return anything
}

// longEnough is the length from which on a name is rare enough by itself.
const longEnough = 7

// method adds the name of a method. A short one is looked for with the bracket
// of its call.
func (f *Filter) method(name string, w what) {
	text := "." + name
	if len(text) >= longEnough {
		f.needles = append(f.needles, needle{text: text, alone: true, what: w})
		return
	}
	for _, end := range []string{"(", " (", "\t(", "\\"} {
		f.needles = append(f.needles, needle{text: text + end, what: w})
	}
}

// fold maps letters to lower case.
func fold(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// Words are what the filter looks for.
func (f *Filter) Words() []words.Word {
	out := make([]words.Word, len(f.needles))
	for i, n := range f.needles {
		out[i] = words.Word{Text: n.text, Fold: true}
	}
	return out
}

// Needs reports whether the filter has to look at a text at all: it does not
// where everything matches.
func (f *Filter) Needs() bool { return !f.all }

// Match reports whether a text may hold a site.
func (f *Filter) Match(text []byte) bool {
	return f.all || !f.finder().Each(text, func(k, start int) bool { return !f.Stands(text, k, start) })
}

// Stands reports whether a site may be where the word k of Words was found.
func (f *Filter) Stands(text []byte, k, start int) bool {
	n := &f.needles[k]
	end := start + len(n.text)
	if n.start && start > 0 && (isWord(text[start-1]) || text[start-1] == '.') || n.alone && end < len(text) && isWord(text[end]) {
		return false
	}
	return n.what == anything || !f.known.settled(text, start, end, n.what)
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || fold(c) >= 'a' && fold(c) <= 'z' || c >= 0x80
}
