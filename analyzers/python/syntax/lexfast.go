package syntax

import (
	"encoding/binary"
	"math/bits"
)

// Eight bytes of a text are compared in one step where there are so many: names
// and indentations are most of a file, and a loop over their bytes ends each time
// where the processor did not expect it.
const (
	step  = 8
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

func eight(s []byte, i int) uint64 { return binary.LittleEndian.Uint64(s[i:]) }

// firstOf is the index of the first byte whose marks are not all 0.
func firstOf(marks uint64) int { return bits.TrailingZeros64(marks) >> 3 }

// noName marks the bytes that no ASCII name holds.
func noName(v uint64) uint64 {
	low := v &^ highs
	letter := low | 0x20*ones
	is := (letter + (0x80-'a')*ones) &^ (letter + (0x7f-'z')*ones)
	is |= (low + (0x80-'0')*ones) &^ (low + (0x7f-'9')*ones)
	is |= ^((low ^ '_'*ones) + 0x7f*ones)
	return (^is | v) & highs
}

// skipSpaces is the offset of the first byte that is no space.
func skipSpaces(s []byte, i int) int {
	for i+step <= len(s) {
		if other := eight(s, i) ^ ' '*ones; other != 0 {
			return i + firstOf(other)
		}
		i += step
	}
	for i < len(s) && s[i] == ' ' {
		i++
	}
	return i
}

// skipName is the offset of the first byte that no ASCII name holds.
func skipName(s []byte, i int) int {
	for i+step <= len(s) {
		if other := noName(eight(s, i)); other != 0 {
			return i + firstOf(other)
		}
		i += step
	}
	for i < len(s) && asciiName[s[i]] {
		i++
	}
	return i
}

// packed is a short word as the number that its bytes make.
func packed(word string) (v uint64) {
	for i := range len(word) {
		v |= uint64(word[i]) << (8 * i)
	}
	return v
}

// packedKeyword is keyword of a packed word of n bytes, fewer than eight.
func packedKeyword(word uint64, n int) tok {
	if n < 2 {
		return tName
	}
	slot := &keywordSlots[hashOf(n, byte(word), byte(word>>8), byte(word>>(8*(n-1))))]
	if slot.packed == word {
		return slot.kind
	}
	return tName
}
