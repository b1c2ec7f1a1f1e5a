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
	sampledGrams = 1 << 18 // grams counted of a sample at most
	maxCount     = 1<<16 - 1

	// The price of an occurrence, about in nanoseconds: of stopping at a gram
	// that no literal marked so far, and of comparing one literal.
	stopPrice    = 12
	comparePrice = 3
)

// rarity estimates how often a gram will be met. Grams are counted by their
// place in the table: what matters is how often the table will say yes, and a
// rare gram that collides with a common one is no good choice.
type rarity struct {
	counts []uint16 // no more than maxCount: what is more common is out of the question anyhow
	met    int      // places that are not empty,
	once   int      // and those that were met once
	total  float64
	bytes  [256]float64 // share of each folded byte
	unmet  float64      // expected count of a place that the sample did not meet
}

func newRarity(sample []byte) *rarity {
	r := &rarity{counts: make([]uint16, 1<<tableBits)}
	r.count(usual)
	r.count(sample)
	for i := range r.bytes {
		r.bytes[i] = (r.bytes[i] + 1) / (r.total + float64(len(r.bytes)))
	}
	// As many new grams will come as there were grams that came once (Good and
	// Turing); they fall on the places that are still empty.
	r.unmet = float64(r.once) / float64(len(r.counts)-r.met+1)
	return r
}

func (r *rarity) count(b []byte) {
	// An odd step meets all residues of fixed-width lines.
	step := len(b)/sampledGrams | 1
	for i := 0; i+8 <= len(b); i += step {
		n := &r.counts[place(hash(binary.LittleEndian.Uint64(b[i:])))]
		switch *n {
		case 0:
			r.met++
			r.once++
		case 1:
			r.once--
		}
		if *n < maxCount {
			*n++
		}
		r.bytes[b[i]&0xDF]++
		r.total++
	}
}

// rarest returns the offset of the gram of low, among those at residue modulo
// the stride, that adds least to the cost of a scan in which t is marked. A
// gram may overhang the literal: with one byte unknown it marks many places,
// but that is cheaper than a gram on which every line stops.
func (r *rarity) rarest(low []byte, residue int, t *table) int {
	best, bestCost := residue, r.cost(low, residue, t)
	off := residue + stride
	for ; off+gramLen <= len(low); off += stride {
		if cost := r.cost(low, off, t); cost < bestCost {
			best, bestCost = off, cost
		}
	}
	if bestCost <= foldedBytes*comparePrice*r.unmet {
		return best // no overhang can cost less
	}
	for _, off := range []int{residue - stride, off} {
		if off < knownBytes-gramLen || off+knownBytes > len(low) {
			continue
		}
		if cost := r.cost(low, off, t); cost < bestCost {
			best, bestCost = off, cost
		}
	}
	return best
}

// cost estimates what marking the grams at off adds to a scan.
func (r *rarity) cost(low []byte, off int, t *table) float64 {
	cost := (stopPrice + comparePrice) * r.likely(low[max(off, 0):min(off+gramLen, len(low))])
	gramsOf(low, off, func(g uint64) {
		price := float64(comparePrice)
		h := place(hash(g))
		if t[h] == 0 {
			price += stopPrice
		}
		cost += price * (float64(r.counts[h]) + r.unmet)
	})
	return cost
}

// likely estimates the occurrences of a gram from its bytes alone.
func (r *rarity) likely(gram []byte) float64 {
	n := r.total
	for _, c := range gram {
		n *= r.bytes[c&0xDF]
	}
	return n
}
