package sites

import (
	"encoding/binary"
	"strings"

	"github.com/trainvet/trainvet/analyzers/catalog"
)

// Filter tells which files can hold a site, without parsing them: most hold
// none. It finds the names that every site needs, all of them in one pass that
// skips as many bytes as the shortest name allows (Wu and Manber). Letter case
// is folded, which can only let more through.
type Filter struct {
	needles []needle
	shift   [1 << 16]uint8 // by the hash of three bytes: how far the window may move
	slot    [1 << 16]uint8 // by the same hash: the bucket, where the window may not move
	buckets [][]int        // needles whose window ends with bytes of one hash
	all     bool           // everything matches
	window  int            // length of the shortest needle
	known   settling
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
		"decode-method", "decode-method-weak", "decode-method-plain", "step-method", "unscale-method", "framework-step",
		"update-params", "transcribe-method",
	} {
		for name := range c.List(list).Exact() {
			f.method(name, kindOf(list, name))
		}
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
		if len(name) <= blockLen || len(f.needles) >= maxNeedles {
			f.all = true // not worth a window: then every file is parsed
			continue
		}
		f.needles = append(f.needles, needle{text: strings.ToLower(name), start: true, alone: true})
	}
	f.build()
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

// longEnough is the length from which on a needle costs no speed.
const longEnough = 7

// method adds the name of a method. A short one is looked for with the bracket
// of its call, so that the window stays long.
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

// block hashes three bytes, letters of both cases alike.
func block(a, b, c byte) uint16 {
	return hashBlock(uint32(a) | uint32(b)<<8 | uint32(c)<<16)
}

func hashBlock(v uint32) uint16 { return uint16((v | 0x202020) * 0x9e3779b1 >> (32 - blockBits)) }

const (
	blockLen   = 3
	blockBits  = 13 // the table stays in the fastest cache
	blocks     = 1 << blockBits
	maxNeedles = 200 // buckets have numbers of one byte
)

func (f *Filter) build() {
	f.window = 255
	for _, n := range f.needles {
		f.window = min(f.window, len(n.text))
	}
	for i := range f.shift {
		f.shift[i] = uint8(f.window - blockLen + 1)
	}
	for k, n := range f.needles {
		for i := blockLen - 1; i < f.window; i++ {
			b := block(n.text[i-2], n.text[i-1], n.text[i])
			f.shift[b] = min(f.shift[b], uint8(f.window-1-i))
			if i == f.window-1 {
				if f.slot[b] == 0 {
					f.buckets = append(f.buckets, nil)
					f.slot[b] = uint8(len(f.buckets))
				}
				f.buckets[f.slot[b]-1] = append(f.buckets[f.slot[b]-1], k)
			}
		}
	}
}

// Match reports whether a text may hold a site.
func (f *Filter) Match(text []byte) bool {
	if f.all {
		return true
	}
	for i := f.window - 1; i < len(text); {
		// The window is longer than three bytes: the one before it is there.
		b := hashBlock(binary.LittleEndian.Uint32(text[i-blockLen:]) >> 8)
		if s := f.shift[b]; s != 0 {
			i += int(s)
			continue
		}
		for _, k := range f.buckets[f.slot[b]-1] {
			n := &f.needles[k]
			if start := i - f.window + 1; f.at(text, start, n) && !(n.what != anything && f.known.settled(text, start, start+len(n.text), n.what)) {
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
