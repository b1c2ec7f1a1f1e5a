package words

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// MinLen and MaxLen are the lengths of the shortest and the longest word that
// can be looked for.
const (
	MinLen = gramLen
	MaxLen = 127
)

// Word is what is looked for.
type Word struct {
	Text string
	Fold bool // letters of both cases alike; Text is in lower case
}

// Finder finds words. It does not change after New and is safe for concurrent
// use.
type Finder struct {
	marks   table
	slots   []uint32 // by the hash of a gram: its first entry, less one
	entries []entry
	words   []Word
}

// entry says that a marked gram stands some bytes behind the start of a word.
type entry struct {
	gram   uint32
	tail   uint32 // the last gram of the word: most that begins alike ends otherwise
	next   uint32 // the entry that shares its slot, less one
	word   uint16
	offset int8 // -1: the gram begins with the byte before the word
	length uint8
}

const slotBits = 13

// New makes a Finder. Words are known by their index in the list; the same may
// stand there twice. It panics for one that is too short: the words are data of
// this program.
func New(list []Word) *Finder {
	f := &Finder{words: list}
	if len(list) == 0 {
		return f
	}
	f.slots = make([]uint32, 1<<slotBits)
	rare := newRarity()
	for k, w := range list {
		if len(w.Text) < MinLen || len(w.Text) > MaxLen {
			panic(fmt.Sprintf("the word %q has not %d to %d bytes", w.Text, MinLen, MaxLen))
		}
		for parity := range stride {
			if len(w.Text) < gramLen+parity {
				f.enterBehindAny(k)
				continue
			}
			at := rare.rarest(w.Text, parity)
			f.enter(k, gramOf(w.Text[at:]), at)
		}
	}
	return f
}

// enterBehindAny marks the beginning of a word of four bytes behind each byte
// that may stand before it: where it starts at an odd offset, no gram at an even
// one lies within it.
func (f *Finder) enterBehindAny(word int) {
	gram := []byte(" " + f.words[word].Text[:gramLen-1])
	for c := range 256 {
		if gram[0] = byte(c); gram[0]|foldMask&0xff == gram[0] { // the other half folds to these
			f.enter(word, gramOf(string(gram)), -1)
		}
	}
}

func (f *Finder) enter(word int, g uint32, offset int) {
	h := hash(g)
	f.marks.mark(h)
	slot := &f.slots[h>>(32-slotBits)]
	text := f.words[word].Text
	f.entries = append(f.entries, entry{
		gram: g, tail: gramOf(text[len(text)-gramLen:]), next: *slot, word: uint16(word), offset: int8(offset), length: uint8(len(text)),
	})
	*slot = uint32(len(f.entries))
}

const (
	lanes     = 8
	group     = lanes * stride           // bytes that share one branch
	groupSpan = group - stride + gramLen // bytes that a group's loads touch
)

// Each calls found for every occurrence of every word, in no order, until it
// says false: then Each does too.
func (f *Finder) Each(text []byte, found func(word, start int) bool) bool {
	if len(f.words) == 0 {
		return true
	}
	t, le := &f.marks, binary.LittleEndian
	rest := text
	for len(rest) >= groupSpan {
		w := (*[groupSpan]byte)(rest)
		a, b, c, d := hash(le.Uint32(w[0:])), hash(le.Uint32(w[2:])), hash(le.Uint32(w[4:])), hash(le.Uint32(w[6:]))
		e, g, h, i := hash(le.Uint32(w[8:])), hash(le.Uint32(w[10:])), hash(le.Uint32(w[12:])), hash(le.Uint32(w[14:]))
		if t[place(a)]|t[place(b)]|t[place(c)]|t[place(d)]|t[place(e)]|t[place(g)]|t[place(h)]|t[place(i)] != 0 {
			some := t.has(a) | t.has(b)<<1 | t.has(c)<<2 | t.has(d)<<3 | t.has(e)<<4 | t.has(g)<<5 | t.has(h)<<6 | t.has(i)<<7
			for ; some != 0; some &= some - 1 {
				if !f.at(text, len(text)-len(rest)+stride*bits.TrailingZeros32(some), found) {
					return false
				}
			}
		}
		rest = rest[group:]
	}
	for i := len(text) - len(rest); i+gramLen <= len(text); i += stride {
		if t.has(hash(le.Uint32(text[i:]))) != 0 && !f.at(text, i, found) {
			return false
		}
	}
	return true
}

// at compares the words that hold the gram at an offset.
func (f *Finder) at(text []byte, at int, found func(word, start int) bool) bool {
	g := binary.LittleEndian.Uint32(text[at:]) | foldMask
	for k := f.slots[hash(g)>>(32-slotBits)]; k != 0; {
		e := &f.entries[k-1]
		k = e.next
		start := at - int(e.offset)
		end := start + int(e.length)
		if e.gram != g || start < 0 || end > len(text) || binary.LittleEndian.Uint32(text[end-gramLen:])|foldMask != e.tail {
			continue
		}
		if w := &f.words[e.word]; w.stands(text[start:end]) && !found(int(e.word), start) {
			return false
		}
	}
	return true
}

// stands reports whether a text, which is as long, is the word.
func (w *Word) stands(text []byte) bool {
	if !w.Fold {
		return string(text) == w.Text
	}
	for i, c := range text {
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if c != w.Text[i] {
			return false
		}
	}
	return true
}
