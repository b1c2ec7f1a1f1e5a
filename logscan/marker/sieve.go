package marker

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/trainvet/trainvet/logscan/scan"
)

// sieve finds which rows' anchors stand in a text.
type sieve struct {
	filter  *scan.Filter
	anchors []string
	rows    [][]int // per anchor, the defs that name it
	words   int     // of a set of defs
}

func newSieve(defs []*Def) (*sieve, error) {
	s := &sieve{words: (len(defs) + 63) / 64}
	index := make(map[string]int)
	for i, d := range defs {
		for _, a := range d.Anchors {
			n, ok := index[a]
			if !ok {
				n = len(s.anchors)
				index[a] = n
				s.anchors = append(s.anchors, a)
				s.rows = append(s.rows, nil)
			}
			s.rows[n] = append(s.rows[n], i)
		}
	}
	var err error
	if s.filter, err = scan.New(s.anchors, nil); err != nil {
		return nil, fmt.Errorf("building the filter of the markers' anchors: %w", err)
	}
	return s, nil
}

// fill adds the rows whose anchors stand in text, and returns the place of the
// first anchor, or -1.
func (s *sieve) fill(text []byte, set defSet) int {
	first := -1
	s.filter.Find(text, func(pos, literal int) {
		if first < 0 {
			first = pos
		}
		for _, d := range s.rows[literal] {
			set.add(d)
		}
	})
	return first
}

// fillLine is fill for a whole line. A line shorter than an anchor is looked at
// with its ends, which the anchors of such lines hold.
func (s *sieve) fillLine(line []byte, set defSet) bool {
	if len(line) >= minAnchor {
		return s.fill(line, set) >= 0
	}
	var room [minAnchor + 1]byte
	room[0] = '\n'
	n := 1 + copy(room[1:], line)
	room[n] = '\n'
	return s.fill(room[:n+1], set) >= 0
}

// places are the anchors' places in text, in order.
func (s *sieve) places(text []byte) []int {
	var at []int
	s.filter.Find(text, func(pos, _ int) {
		if n := len(at); n == 0 || at[n-1] != pos {
			at = append(at, pos)
		}
	})
	return slices.Clip(at)
}

// FindAnchors calls emit for every anchor in text, in the order of their places.
func (c *Catalog) FindAnchors(text []byte, emit func(anchor string)) {
	c.sieve.filter.Find(text, func(_, literal int) { emit(c.sieve.anchors[literal]) })
}

// defSet is a set of rows.
type defSet []uint64

func (s defSet) add(i int) { s[i/64] |= 1 << (i % 64) }

// next is the first member from i on, or -1.
func (s defSet) next(i int) int {
	for w := i / 64; w < len(s); w++ {
		word := s[w]
		if w == i/64 {
			word &= ^uint64(0) << (i % 64)
		}
		if word != 0 {
			return w*64 + bits.TrailingZeros64(word)
		}
	}
	return -1
}
