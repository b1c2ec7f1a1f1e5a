package scan

import (
	_ "embed"
	"encoding/binary"
)

// usual holds lines that training logs are full of. It stands in where no
// sample is given and keeps a short or odd sample from misleading.
//
//go:embed usual.txt
var usual []byte

const (
	sampledGrams = 1 << 19 // grams counted of a sample at most

	// The price of an occurrence, about in nanoseconds: of stopping at a gram
	// that no literal marked so far, and of comparing one literal.
	stopPrice    = 12
	comparePrice = 3
)

// rarity estimates how often a gram will be met. Grams are counted by their
// place in the table: what matters is how often the table will say yes, and a
// rare gram that collides with a common one is no good choice.
type rarity struct {
	counts []uint32
	total  float64
	bytes  [256]float64 // share of each folded byte, for grams never seen
}

func newRarity(sample []byte) *rarity {
	r := &rarity{counts: make([]uint32, tableSize)}
	r.count(usual)
	r.count(sample)
	for i := range r.bytes {
		r.bytes[i] = (r.bytes[i] + 1) / (r.total + float64(len(r.bytes)))
	}
	return r
}

func (r *rarity) count(b []byte) {
	// An odd step meets all residues of fixed-width lines.
	step := len(b)/sampledGrams | 1
	for i := 0; i+8 <= len(b); i += step {
		r.counts[hash(binary.LittleEndian.Uint64(b[i:]))]++
		r.bytes[b[i]&0xDF]++
		r.total++
	}
}

// rarest returns the offset of the gram of low, among those at residue modulo
// the stride, that adds least to the cost of a scan in which table is marked.
func (r *rarity) rarest(low []byte, residue int, table *[tableSize]byte) int {
	best, bestCost := residue, -1.0
	for off := residue; off+gramLen <= len(low); off += stride {
		price := float64(comparePrice)
		h := hash(gramAt(low, off))
		if table[h] == 0 {
			price += stopPrice
		}
		cost := price * (float64(r.counts[h]) + r.unseen(low[off:off+gramLen]))
		if bestCost < 0 || cost < bestCost {
			best, bestCost = off, cost
		}
	}
	return best
}

// unseen estimates the occurrences of a gram from its bytes alone.
func (r *rarity) unseen(gram []byte) float64 {
	n := r.total
	for _, c := range gram {
		n *= r.bytes[c&0xDF]
	}
	return n
}
