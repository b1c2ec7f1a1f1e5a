package scan

import (
	"encoding/binary"
	"math/bits"
)

const (
	gramLen    = 5 // bytes hashed at a sampled position
	knownBytes = 4 // of a gram that lie in the literal at least
	stride     = 4 // distance of sampled positions
	tableBits  = 18
	multiplier = 0x9E3779B97F4A7C15

	// foldMask keeps the five bytes of a gram without the bit that tells upper
	// from lower case. It also joins a few other bytes ('@' and '`'), which
	// costs a comparison now and then and loses nothing.
	foldMask    = 0x000000DFDFDFDFDF
	foldedBytes = 128 // values that a folded byte can have
)

// hash mixes the gram in the low five bytes of v, whatever the case of its
// letters and the rest of v. Its top bits are the gram's place in the table.
func hash(v uint64) uint64 { return (v & foldMask) * multiplier }

// place is the gram's byte in the table. The shift is constant, so the compiler
// proves the index in range.
func place(hash uint64) uint64 { return hash >> hashShift }

const hashShift = 64 - tableBits

// table marks grams. The hot loop asks whether a byte is zero; the next three
// bits of the hash name the bit within the byte, which turns away seven of
// eight grams that share a byte by chance. Three bytes more follow the places,
// since the hot loop reads four for one.
type table [1<<tableBits + 3]byte

// mark returns whether the gram's bit is new.
func (t *table) mark(g uint64) bool {
	h := hash(g)
	c, bit := &t[place(h)], byte(1)<<bitOf(h)
	added := *c&bit == 0
	*c |= bit
	return added
}

// has returns 1 if a gram with this hash is marked.
func (t *table) has(h uint64) uint32 { return uint32(t[place(h)]) >> bitOf(h) & 1 }

func bitOf(hash uint64) uint64 { return hash >> (hashShift - 3) & 7 }

// gramAt returns the folded gram at b[i:]. b has at least 8 bytes, of which at
// least 4 from i on; a missing fifth byte reads as 0.
func gramAt(b []byte, i int) uint64 {
	if i+8 <= len(b) {
		return binary.LittleEndian.Uint64(b[i:]) & foldMask
	}
	return binary.LittleEndian.Uint64(b[len(b)-8:]) >> (8 * uint(i+8-len(b))) & foldMask
}

// gramsOf calls yield for each gram that can stand at offset off from the start
// of a literal: one within it, one for each folded value of the byte outside if
// the gram overhangs the literal by a byte at either end.
func gramsOf(low []byte, off int, yield func(g uint64)) {
	var known uint64
	wild := -1
	for k := range gramLen {
		if at := off + k; 0 <= at && at < len(low) {
			known |= uint64(low[at]) << (8 * k)
		} else {
			wild = k
		}
	}
	known &= foldMask
	if wild < 0 {
		yield(known)
		return
	}
	for c := range uint64(foldedBytes) {
		// Spread the seven bits of c around the case bit.
		yield(known | (c&0x1F|c&0x60<<1)<<(8*wild))
	}
}

// entry says that a marked gram stands off bytes behind the start of a literal.
// It repeats the last word of the literal, which settles most comparisons.
type entry struct {
	last    word
	tail    int32 // from the gram to the last word
	off     int32 // -1: the byte before the literal belongs to the gram
	literal int32
}

// gramIndex leads from a marked gram to its entries: open addressing at half
// load, since many of its questions are answered with no. It is small, since it
// is asked so seldom that what the caches hold of it is mostly gone.
type gramIndex struct {
	slots   []gramSlot
	entries []entry
	shift   uint
}

type gramSlot struct {
	tag        uint32 // of the gram: where two share one, both have the entries of both
	first, end uint32 // into entries; end 0: empty slot
}

// newGramIndex counts the entries of each gram, then puts each where the counts
// leave room for it: sorting them took a third of the time of New. It is told
// about how many grams there are.
func newGramIndex(grams []uint64, entries []entry, distinct int) gramIndex {
	width := bits.Len(uint(2 * distinct))
	x := gramIndex{slots: make([]gramSlot, 1<<width), entries: make([]entry, 1+len(entries)), shift: uint(64 - width)}
	for _, g := range grams {
		s := x.slot(g)
		s.tag = tagOf(hash(g))
		s.end++
	}
	first := uint32(1) // entry 0 is no gram's: an end of 0 marks an empty slot
	for i := range x.slots {
		if s := &x.slots[i]; s.end != 0 {
			s.first, s.end, first = first, first, first+s.end
		}
	}
	for i, g := range grams {
		s := x.slot(g)
		x.entries[s.end] = entries[i]
		s.end++
	}
	return x
}

func tagOf(hash uint64) uint32 { return uint32(hash >> 16) }

// slot is the place of a gram, or the empty one where it belongs.
func (x *gramIndex) slot(g uint64) *gramSlot {
	h := hash(g)
	for at := h >> x.shift; ; at++ {
		if s := &x.slots[at&uint64(len(x.slots)-1)]; s.end == 0 || s.tag == tagOf(h) {
			return s
		}
	}
}

// find returns the entries of a folded gram.
func (x *gramIndex) find(g uint64) []entry {
	s := x.slot(g)
	return x.entries[s.first:s.end]
}
