package words

import "encoding/binary"

// Four finds a word of four bytes, which is too short for a Finder.
type Four struct {
	word      uint32
	even, odd uint64 // two of its bytes in each of four lanes, those at an even offset
}

const (
	fourLanes = 0x0001000100010001
	fourHighs = 0x8000800080008000
)

// NewFour makes one. It panics for a word of another length.
func NewFour(word string) *Four {
	if len(word) != 4 {
		panic("the word " + word + " has not four bytes")
	}
	lanes := func(a, b byte) uint64 { return (uint64(a) | uint64(b)<<8) * fourLanes }
	return &Four{word: binary.LittleEndian.Uint32([]byte(word)), even: lanes(word[0], word[1]), odd: lanes(word[1], word[2])}
}

// Index is the offset of the first place of the word from an offset on; -1:
// there is none. Wherever the word starts, two of its bytes begin at an even
// distance: eight bytes are compared at once.
func (f *Four) Index(text []byte, from int) int {
	i := from
	for ; i+11 <= len(text); i += 8 {
		v := binary.LittleEndian.Uint64(text[i:])
		a, b := v^f.even, v^f.odd
		if ((a-fourLanes)&^a|(b-fourLanes)&^b)&fourHighs == 0 {
			continue
		}
		for k := max(i-1, from); k < i+8; k++ {
			if binary.LittleEndian.Uint32(text[k:]) == f.word {
				return k
			}
		}
	}
	for i = max(i-1, from); i+4 <= len(text); i++ {
		if binary.LittleEndian.Uint32(text[i:]) == f.word {
			return i
		}
	}
	return -1
}
