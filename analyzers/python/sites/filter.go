package sites

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/catalog"
)

// Filter tells which files can hold a site, without parsing them: most hold
// none. It finds the names that every site needs, all of them in one pass that
// skips as many bytes as the shortest name allows (Wu and Manber). Letter case
// is folded, which can only let more through.
type Filter struct {
	needles []needle
	shift   [1 << 16]uint8 // by two bytes: how far the window may move
	bucket  map[uint16][]int
	window  int // length of the shortest needle
}

// needle is a text whose last byte, and first if it is none of ".", ends at a
// word's border.
type needle struct {
	text         string
	start, alone bool // no name's byte may stand before it; behind it
}

// NewFilter makes the filter of the catalogue. more are functions that
// directives name.
func NewFilter(more ...string) *Filter {
	c := catalog.Python()
	f := &Filter{bucket: map[uint16][]int{}}
	for _, list := range []string{
		"decode-method", "decode-method-weak", "decode-method-plain", "step-method", "unscale-method", "framework-step",
		"update-params", "transcribe-method",
	} {
		for name := range c.List(list).Exact() {
			f.needles = append(f.needles, needle{text: "." + name, alone: true})
		}
	}
	for name := range c.List("filter-word").Exact() {
		f.needles = append(f.needles, needle{text: name, start: true})
	}
	for name := range c.List("filter-text").Exact() {
		f.needles = append(f.needles, needle{text: name})
	}
	for _, name := range more {
		f.needles = append(f.needles, needle{text: strings.ToLower(name), start: true, alone: true})
	}
	f.build()
	return f
}

// fold maps letters to lower case and leaves apart what must not be mixed up.
func fold(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}

func block(a, b byte) uint16 { return uint16(fold(a))<<8 | uint16(fold(b)) }

func (f *Filter) build() {
	f.window = 255
	for _, n := range f.needles {
		f.window = min(f.window, len(n.text))
	}
	far := uint8(f.window - 1)
	for i := range f.shift {
		f.shift[i] = far
	}
	for k, n := range f.needles {
		for i := 1; i < f.window; i++ {
			b := block(n.text[i-1], n.text[i])
			f.shift[b] = min(f.shift[b], uint8(f.window-1-i))
			if i == f.window-1 {
				f.bucket[b] = append(f.bucket[b], k)
			}
		}
	}
	f.both()
}

// both fills the shifts of upper case letters, so that the loop need not fold.
func (f *Filter) both() {
	for a := range 256 {
		for b := range 256 {
			f.shift[a<<8|b] = f.shift[block(byte(a), byte(b))]
		}
	}
}

// Match reports whether a text may hold a site.
func (f *Filter) Match(text []byte) bool {
	for i := f.window - 1; i < len(text); {
		s := f.shift[uint16(text[i-1])<<8|uint16(text[i])]
		if s != 0 {
			i += int(s)
			continue
		}
		for _, k := range f.bucket[block(text[i-1], text[i])] {
			if f.at(text, i-f.window+1, &f.needles[k]) {
				return true
			}
		}
		i++
	}
	return false
}

func (f *Filter) at(text []byte, start int, n *needle) bool {
	end := start + len(n.text)
	if end > len(text) {
		return false
	}
	for i := range n.text {
		if fold(text[start+i]) != n.text[i] {
			return false
		}
	}
	if n.start && start > 0 && (isWord(text[start-1]) || text[start-1] == '.') {
		return false
	}
	return !n.alone || end == len(text) || !isWord(text[end])
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || fold(c) >= 'a' && fold(c) <= 'z' || c >= 0x80
}
