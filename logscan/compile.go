package logscan

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"

	"github.com/trainvet/trainvet/logscan/scan"
	"github.com/trainvet/trainvet/logscan/source"
)

// hugeFilters is the filters of one audit: sources that spell alike share one.
type hugeFilters struct {
	whole    bool // the sources are small: no filter
	n        int  // sources
	mu       sync.Mutex
	byShapes map[uint64]*compiled

	anchors []string     // of all markers, sorted
	stems   []string     // of those that end in digits, where that is no anchor too
	probe   *scan.Filter // finds the stems, to learn which are too common
}

// areMarkers tells which literals are markers' anchors.
func (h *hugeFilters) areMarkers(literals []string) []bool {
	out := make([]bool, len(literals))
	for i, l := range literals {
		_, out[i] = slices.BinarySearch(h.anchors, l)
	}
	return out
}

// prepare says whether the sources need a filter, and builds what it is built with.
func (h *hugeFilters) prepare(e *engine, set *source.Set) error {
	h.whole, h.n = wholeLimit(set), len(set.Inputs)
	if h.whole {
		return nil
	}
	h.byShapes, h.anchors = map[uint64]*compiled{}, sortedUnique(e.markers.Anchors())
	for _, a := range h.anchors {
		s := stem(a)
		if _, known := slices.BinarySearch(h.anchors, s); !known {
			h.stems = append(h.stems, s)
		}
	}
	h.stems = sortedUnique(h.stems)
	var err error
	if h.probe, err = scan.New(h.stems, nil); err != nil {
		return fmt.Errorf("building the filter of the counters: %w", err)
	}
	return nil
}

// wholeLimit says whether all text sources together are small.
func wholeLimit(set *source.Set) bool {
	var total int64
	for i := range set.Inputs {
		if set.Inputs[i].Kind.Lines() {
			total += set.Inputs[i].Size
		}
	}
	return total <= wholeBytes
}

// compiled is a filter with what its literals are for.
type compiled struct {
	filter *scan.Filter
	mark   []bool        // by literal: it is a marker's anchor
	dense  []denseAnchor // the literals behind those of mark
}

// compile learns from a part of the source how it spells its metrics and builds
// the filter for that spelling, or finds the one of a source whose lines have
// the same shapes.
func (e *engine) compile(in *source.Input, r io.ReaderAt, size int64, fp *filteredPass) (*compiled, error) {
	sample, err := readParts(r, fp.parts, &fp.sample)
	if err != nil {
		return nil, err
	}
	key := shapesOf(sample)
	h := &e.huge
	h.mu.Lock()
	defer h.mu.Unlock()
	if c := h.byShapes[key]; c != nil {
		return c, nil
	}
	sp := e.spelling(in, sample)
	literals := e.anchors(sp)
	c := &compiled{mark: h.areMarkers(literals)}
	if e.opt.All {
		c.dense = sp.dense
		for _, d := range sp.dense {
			literals = append(literals, d.literal)
		}
	}
	if c.filter, err = scan.New(literals, scan.Sample(r, size)); err != nil {
		return nil, fmt.Errorf("building the filter: %w", err)
	}
	h.byShapes[key] = c
	return c, nil
}

const (
	learnFrom  = 3        // parts that are enough to learn from: head, two windows; and the tail
	learnBytes = 64 << 10 // of each: its end
	keptSample = 4 << 10  // parts of many small sources share their room
)

// readParts reads what a spelling is learned from, a little of it into room, which
// is kept for the next source.
func readParts(r io.ReaderAt, parts []interval, room *[]byte) ([][]byte, error) {
	var out [][]byte
	for i, p := range parts {
		if i >= learnFrom && i != len(parts)-1 {
			continue
		}
		p.from = max(p.from, p.to-learnBytes)
		buf := take(room, int(p.to-p.from))
		n, err := r.ReadAt(buf, p.from)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("reading at offset %d: %w", p.from, err)
		}
		out = append(out, wholeLines(buf[:n]))
	}
	return out, nil
}

// take is n bytes behind those of the room that are used.
func take(room *[]byte, n int) []byte {
	if n > keptSample {
		return make([]byte, n)
	}
	at := len(*room)
	*room = slices.Grow(*room, n)[:at+n]
	return (*room)[at:]
}

// shapesOf names the set of line shapes of a sample, numbers folded.
func shapesOf(sample [][]byte) uint64 {
	seen := map[uint64]bool{}
	var key uint64
	for _, part := range sample {
		for line := range records(part) {
			if h := foldedHash(line); !seen[h] {
				seen[h] = true
				key += h * h // the sum does not depend on the order
			}
		}
	}
	return key
}

// records are the lines of a text, and the states of its bars; empty ones aside.
func records(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for start, i := 0, 0; i <= len(text); i++ {
			if i < len(text) && text[i] != '\n' && text[i] != '\r' {
				continue
			}
			if i > start && !yield(text[start:i]) {
				return
			}
			start = i + 1
		}
	}
}

func sortedUnique(s []string) []string {
	slices.Sort(s)
	return slices.Compact(s)
}
