package scan

import (
	"cmp"
	"slices"
	"sync"
)

// minLiteral is gramLen + stride - 1: the shortest text that holds a whole gram
// at a sampled position wherever it starts.
const minLiteral = gramLen + stride - 1

// Filter finds many literals, in any ASCII case, in one pass. It does not
// change after New and is safe for concurrent use.
type Filter struct {
	table    *table
	fold     uint64 // foldMask and multiplier, for the hot loop
	factor   uint64
	grams    gramIndex
	literals []literal // distinct ones
	maxLen   int
	maxOff   int       // the farthest marked gram from the start of its literal
	blocks   sync.Pool // of *block: scans of many small files share buffers
}

// New builds a filter for literals of at least 8 bytes each, compared in any
// ASCII case (other bytes exactly). Duplicates are reported under each of their
// indexes. The sample, a stretch of the text to come (see [Sample]; nil will
// do), tunes the speed and never the results.
//
// The errors are [ErrNoLiterals] and [*ShortLiteralError].
func New(literals []string, sample []byte) (*Filter, error) {
	if len(literals) == 0 {
		return nil, ErrNoLiterals
	}
	for i, s := range literals {
		if len(s) < minLiteral {
			return nil, &ShortLiteralError{Index: i, Literal: s}
		}
	}
	f := &Filter{table: new(table), fold: foldMask, factor: multiplier, literals: distinct(literals)}
	f.mark(newRarity(sample))
	f.blocks.New = func() any { return newBlock(f) }
	return f, nil
}

// MaxLen is the length of the longest literal.
func (f *Filter) MaxLen() int { return f.maxLen }

// mark chooses the grams of all literals and fills table and index.
func (f *Filter) mark(r *rarity) {
	// Short literals have no choice; what they mark costs the long ones nothing
	// more, so they go first.
	order := make([]int32, len(f.literals))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		return cmp.Compare(len(f.literals[a].low), len(f.literals[b].low))
	})
	marked := 0                                    // bits of the table: about so many grams differ
	entries := make([]entry, 0, stride*len(order)) // overhangs bring more
	grams := make([]uint64, 0, stride*len(order))
	for _, li := range order {
		l := &f.literals[li]
		f.maxLen = max(f.maxLen, len(l.low))
		for residue := range stride {
			off := r.rarest(l.low, residue, f.table)
			f.maxOff = max(f.maxOff, off)
			e := entry{last: l.last, tail: int32(len(l.low) - 8 - off), off: int32(off), literal: li}
			gramsOf(l.low, off, func(g uint64) {
				if f.table.mark(g) {
					marked++
				}
				grams, entries = append(grams, g), append(entries, e)
			})
		}
	}
	if marked > 1<<tableBits {
		marked = len(grams) // many share a bit
	}
	f.grams = newGramIndex(grams, entries, marked)
}
