package marker

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// matcher is the exact test behind an anchor.
type matcher interface {
	// find adds every match in text, left to right, not overlapping.
	find(text []byte, d *Def, to []Match) []Match
}

// maxPerLine bounds the matches of one row in one line.
const maxPerLine = 64

// newMatcher builds the test of a pattern; lineStart says that it only holds at
// the start of a line. An expression of the embedded table is compiled when a
// line first needs it: most logs need a handful of them, and a test compiles
// them all. A user's expression is compiled here, so that its error is told.
func (c *Catalog) newMatcher(pattern string, embedded bool) (m matcher, lineStart bool, err error) {
	kind, body, ok := strings.Cut(pattern, ":")
	switch {
	case !ok || body == "":
		return nil, false, fmt.Errorf("%q is not s:literal, re:expression or code:name", pattern)
	case kind == "s":
		return literal(strings.ToLower(body)), false, nil
	case kind == "re":
		e := &expression{
			heads:   c.heads,
			needs:   sync.OnceValue(func() needs { return needsOf(body) }),
			compile: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(body) }),
		}
		if !embedded {
			_, err = regexp.Compile(body)
		}
		return e, startsLine(body), err
	case kind == "code":
		p, err := c.predicate(body)
		return p, false, err
	}
	return nil, false, fmt.Errorf("%q is not s:literal, re:expression or code:name", pattern)
}

func startsLine(expr string) bool {
	return strings.HasPrefix(strings.TrimPrefix(expr, "(?i)"), "^")
}

// literal matches its text in any ASCII case.
type literal string

func (l literal) find(text []byte, d *Def, to []Match) []Match {
	for from, n := 0, 0; n < maxPerLine; n++ {
		i := indexFold(text, string(l), from)
		if i < 0 {
			break
		}
		from = i + len(l)
		to = append(to, d.match(i, from))
	}
	return to
}

// expression matches an RE2 expression; its named groups become attributes.
type expression struct {
	compile func() *regexp.Regexp
	needs   func() needs
	heads   heads
}

func (e *expression) find(text []byte, d *Def, to []Match) []Match {
	if !e.needs().hold(text) {
		return to
	}
	re := e.compile()
	if !re.Match(text) { // does not allocate, and most anchors end here
		return to
	}
	for _, at := range re.FindAllSubmatchIndex(text, maxPerLine) {
		m := d.match(at[0], at[1])
		for i, name := range re.SubexpNames() {
			if name != "" && at[2*i] >= 0 {
				m.set(name, string(bytes.TrimSpace(text[at[2*i]:at[2*i+1]])))
			}
		}
		m.judgeKeys(e.heads)
		to = append(to, m)
	}
	return to
}

// match is a match of the row as the table describes it.
func (d *Def) match(start, end int) Match {
	m := Match{Def: d, Start: start, End: end, Class: d.Class, Scope: d.Scope, Effect: d.Effect, Clears: d.Clears}
	for k, v := range d.Attrs {
		m.set(k, v)
	}
	return m
}

// maxAttr bounds an attribute: it is log text.
const maxAttr = 2048

func (m *Match) set(name, value string) {
	if value == "" {
		return
	}
	if m.Attrs == nil {
		m.Attrs = make(map[string]string)
	}
	if len(value) > maxAttr {
		value = value[:maxAttr]
	}
	m.Attrs[name] = value
}

// equalFold compares text with a lower-case literal, ASCII letters in any case.
func equalFold(text []byte, lower string) bool {
	for i := range len(lower) {
		if lowerByte(text[i]) != lower[i] {
			return false
		}
	}
	return true
}

func lowerByte(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}

// indexFold is the first place of a lower-case literal in text from a place on.
func indexFold(text []byte, lower string, from int) int {
	for i := from; i+len(lower) <= len(text); i++ {
		if lowerByte(text[i]) == lower[0] && equalFold(text[i:i+len(lower)], lower) {
			return i
		}
	}
	return -1
}
