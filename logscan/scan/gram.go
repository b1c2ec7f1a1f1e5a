package scan

import (
	"encoding/binary"
	"maps"
	"math/bits"
	"slices"
)

const (
	gramLen    = 5 // bytes hashed at a sampled position
	knownBytes = 4 // of a gram that lie in the literal at least
	stride     = 4 // distance of sampled positions
	tableBits  = 17
	tableSize  = 1 << tableBits
	multiplier = 0x9E3779B97F4A7C15

	// foldMask keeps the five bytes of a gram without the bit that tells upper
	// from lower case. It also joins a few other bytes ('@' and '`'), which
	// costs a comparison now and then and loses nothing.
	foldMask = 0x000000DFDFDFDFDF
)

// hash places the gram in the low five bytes of v in the table. It ignores the
// rest of v and the case of letters. All shifts are constant, so the compiler
// proves the index in range.
func hash(v uint64) uint64 { return (v & foldMask) * multiplier >> (64 - tableBits) }

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
	for c := range uint64(256) {
		if c&foldMask == c {
			yield(known | c<<(8*wild))
		}
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

// gramIndex leads from a marked gram to its entries: open addressing at a
// quarter load or less, since most of its questions are answered with no.
type gramIndex struct {
	slots   []gramSlot
	entries []entry
	shift   uint
}

type gramSlot struct {
	gram       uint64
	first, end uint32 // into entries; end 0: empty slot
}

func newGramIndex(byGram map[uint64][]entry) gramIndex {
	width := bits.Len(uint(4 * len(byGram)))
	x := gramIndex{slots: make([]gramSlot, 1<<width), shift: uint(64 - width)}
	for _, g := range slices.Sorted(maps.Keys(byGram)) {
		at := g * multiplier >> x.shift
		for x.slots[at].end != 0 {
			at = (at + 1) % uint64(len(x.slots))
		}
		first := uint32(len(x.entries))
		x.entries = append(x.entries, byGram[g]...)
		x.slots[at] = gramSlot{gram: g, first: first, end: uint32(len(x.entries))}
	}
	return x
}

// find returns the entries of a folded gram.
func (x *gramIndex) find(g uint64) []entry {
	at := g * multiplier >> x.shift
	for {
		s := &x.slots[at&uint64(len(x.slots)-1)]
		if s.end == 0 {
			return nil
		}
		if s.gram == g {
			return x.entries[s.first:s.end]
		}
		at++
	}
}
