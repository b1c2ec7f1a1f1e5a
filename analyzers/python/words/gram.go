package words

import _ "embed"

const (
	gramLen  = 4
	stride   = 2
	foldMask = 0x20202020 // sets the bit that tells upper from lower case, and joins a few other bytes

	// tableBits make a table that stays in the second cache. In the first a
	// quarter of its size would fit, and stop the loop four times as often.
	tableBits = 16
)

// hash mixes four bytes. Its top bits are the place of their mark.
func hash(v uint32) uint32 { return (v | foldMask) * 0x9e3779b1 }

func place(h uint32) uint32 { return h >> (32 - tableBits) }

// table marks grams. The loop asks whether a byte is zero; the next three bits
// of the hash name the bit in it.
type table [1 << tableBits]byte

func (t *table) mark(h uint32) { t[place(h)] |= 1 << bitOf(h) }

// has is 1 if a gram with this hash is marked, else 0.
func (t *table) has(h uint32) uint32 { return uint32(t[place(h)]) >> bitOf(h) & 1 }

func bitOf(h uint32) uint32 { return h >> (32 - tableBits - 3) & 7 }

// gramOf is the folded gram at the start of a text.
func gramOf(text string) uint32 {
	return (uint32(text[0]) | uint32(text[1])<<8 | uint32(text[2])<<16 | uint32(text[3])<<24) | foldMask
}

// usual are the grams that trainers are fullest of, one a line, the fullest first:
// what is met often makes a bad mark. It decides nothing but the speed.
// TestUsual makes it.
//
//go:embed usual.txt
var usual string

// rarity ranks the grams that are met often: 0 is rare.
type rarity map[uint32]int

func newRarity() rarity {
	lines := len(usual) / usualLine
	r := make(rarity, lines)
	for i := range lines {
		r[gramOf(usual[i*usualLine:])] = lines - i
	}
	return r
}

// usualLine is a gram and the end of its line.
const usualLine = gramLen + 1

// rarest is the offset of the gram of a word that is met least often, of those
// whose offset is odd or even.
func (r rarity) rarest(word string, parity int) int {
	best := parity
	for at := parity; at+gramLen <= len(word); at += stride {
		if r[gramOf(word[at:])] < r[gramOf(word[best:])] {
			best = at
		}
	}
	return best
}
