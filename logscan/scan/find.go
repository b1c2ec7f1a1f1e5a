package scan

import (
	"encoding/binary"
	"math/bits"
)

const (
	group     = 8 * stride         // bytes that share one branch
	groupSpan = group - stride + 8 // bytes that a group's loads touch
	waiting   = 24                 // hits that can wait for their turn without an allocation
)

// Find calls emit for every occurrence in b, overlapping ones too, in order of
// pos and, at one pos, of literal (the index in the list given to New). It does
// not allocate unless more than two dozen hits overlap one another.
func (f *Filter) Find(b []byte, emit func(pos, literal int)) {
	if len(b) < minLiteral {
		return
	}
	if i, lanes := f.next(b, 0); lanes != 0 { // most lines do not come here
		f.findFrom(b, i, lanes, emit)
	}
}

// next returns the first group of sampled positions at or behind i in which a
// marked gram stands, with a bit for each of its positions that may hold one; no
// bits: there is none.
func (f *Filter) next(b []byte, i int) (int, uint32) {
	if i >= len(b) {
		return i, 0
	}
	left, lanes := f.table.groups(b[i:], f.fold, f.factor)
	i = len(b) - left
	if lanes != 0 {
		return i, lanes
	}
	for ; i+knownBytes <= len(b); i += stride {
		if f.table.has(hash(gramAt(b, i))) != 0 {
			return i, 1
		}
	}
	return i, 0
}

// groups passes over the groups of rest in which no marked place stands, and
// returns how much is left and the lanes of the group that it stopped at. This
// is the hot loop: eight loads, masks, multiplications, shifts, look-ups, and one
// branch. The array tells the compiler that all loads are in range, and mask and
// factor come as values, since it loads a constant anew each time. Four bytes of
// the table are read for one: that is an operand of the OR, not a load before it.
func (t *table) groups(rest []byte, fold, factor uint64) (left int, lanes uint32) {
	le := binary.LittleEndian
	if t == nil {
		return 0, 0 // or each look-up would ask
	}
	for len(rest) >= groupSpan {
		w := (*[groupSpan]byte)(rest)
		p0 := le.Uint64(w[0:]) & fold * factor >> hashShift
		p1 := le.Uint64(w[4:]) & fold * factor >> hashShift
		p2 := le.Uint64(w[8:]) & fold * factor >> hashShift
		p3 := le.Uint64(w[12:]) & fold * factor >> hashShift
		p4 := le.Uint64(w[16:]) & fold * factor >> hashShift
		p5 := le.Uint64(w[20:]) & fold * factor >> hashShift
		p6 := le.Uint64(w[24:]) & fold * factor >> hashShift
		p7 := le.Uint64(w[28:]) & fold * factor >> hashShift
		any := le.Uint32(t[p0:p0+4]) | le.Uint32(t[p1:p1+4]) | le.Uint32(t[p2:p2+4]) | le.Uint32(t[p3:p3+4]) |
			le.Uint32(t[p4:p4+4]) | le.Uint32(t[p5:p5+4]) | le.Uint32(t[p6:p6+4]) | le.Uint32(t[p7:p7+4])
		// Most groups that stop here share a byte with a marked gram by chance:
		// the bits within the byte tell, without leaving the loop.
		if byte(any) != 0 {
			if lanes := t.lanes(w); lanes != 0 {
				return len(rest), lanes
			}
		}
		rest = rest[group:]
	}
	return len(rest), 0
}

// findFrom looks at each group that next lets through. Grams are met in order
// of position, but literals hold them at different offsets, so hits wait,
// sorted, for their turn. The slice is handed from call to call, not kept in a
// struct behind a pointer, so that it can live on the stack.
func (f *Filter) findFrom(b []byte, i int, lanes uint32, emit func(pos, literal int)) {
	var room [waiting]Hit
	hits := room[:0]
	for lanes != 0 {
		// A gram at i or later belongs to a literal that starts at i-maxOff or
		// later: what waits before that comes next in order.
		if len(hits) > 0 {
			hits = release(hits, i-f.maxOff, emit)
		}
		behind := i + group
		if len(b)-i < groupSpan {
			behind = i + stride // next goes through the end one by one
		}
		for ; lanes != 0; lanes &= lanes - 1 {
			at := i + stride*bits.TrailingZeros32(lanes)
			hits = f.compare(b, at, gramAt(b, at), hits)
		}
		i, lanes = f.next(b, behind)
	}
	release(hits, len(b), emit)
}

// lanes does not branch on what it finds, since that cannot be guessed.
func (t *table) lanes(w *[groupSpan]byte) uint32 {
	le := binary.LittleEndian
	return t.has(hash(le.Uint64(w[0:]))) | t.has(hash(le.Uint64(w[4:])))<<1 |
		t.has(hash(le.Uint64(w[8:])))<<2 | t.has(hash(le.Uint64(w[12:])))<<3 |
		t.has(hash(le.Uint64(w[16:])))<<4 | t.has(hash(le.Uint64(w[20:])))<<5 |
		t.has(hash(le.Uint64(w[24:])))<<6 | t.has(hash(le.Uint64(w[28:])))<<7
}

// compare adds the literals that marked gram g, found at i, and match.
func (f *Filter) compare(b []byte, i int, g uint64, hits []Hit) []Hit {
	entries := f.grams.find(g)
	for k := range entries {
		e := &entries[k]
		pos, tail := i-int(e.off), i+int(e.tail)
		if pos < 0 || tail+8 > len(b) || !e.last.matches(b[tail:]) {
			continue
		}
		l := &f.literals[e.literal]
		if !l.matches(b[pos:]) {
			continue
		}
		for _, id := range l.ids {
			hits = insert(hits, Hit{Pos: pos, Literal: int(id)})
		}
	}
	return hits
}

func insert(hits []Hit, h Hit) []Hit {
	hits = append(hits, h)
	k := len(hits) - 1
	for ; k > 0 && hits[k-1].after(h); k-- {
		hits[k] = hits[k-1]
	}
	hits[k] = h
	return hits
}

// release emits the hits that start before limit and returns the others.
func release(hits []Hit, limit int, emit func(pos, literal int)) []Hit {
	n := 0
	for n < len(hits) && hits[n].Pos < limit {
		emit(hits[n].Pos, hits[n].Literal)
		n++
	}
	if n == 0 {
		return hits
	}
	return hits[:copy(hits, hits[n:])]
}
