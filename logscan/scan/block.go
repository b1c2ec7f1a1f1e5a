package scan

const (
	// readSize is read at a time and scanned while it is still in the cache.
	readSize = 128 << 10
	// keepHits bounds what a block keeps after a storm of hits.
	keepHits = 1 << 16
	// emptyReads is how often a reader may return nothing without an error.
	emptyReads = 100
)

// block is the buffer of one chunk and what was found in it so far.
type block struct {
	f     *Filter
	buf   []byte
	n     int // bytes of buf that are filled
	from  int // own part of the chunk: [from, to)
	to    int // never behind the end of the source
	done  int // hits that start before this are known
	until int // scan: hits from here on belong to a later scan
	hits  []Hit
	add   func(pos, literal int) // addHit, bound once
	chunk Chunk
}

func newBlock(f *Filter) *block {
	b := &block{f: f, buf: make([]byte, lookBehind+chunkSize+f.ahead())}
	b.add = b.addHit
	return b
}

func (f *Filter) ahead() int { return max(lookAhead, f.maxLen-1) }

func (f *Filter) borrow() *block { return f.blocks.Get().(*block) }

func (f *Filter) giveBack(b *block) {
	b.chunk = Chunk{}
	f.blocks.Put(b)
}

// reset readies the block, of which n bytes are filled, for a chunk whose own
// part starts at from.
func (b *block) reset(n, from int) {
	b.n, b.from, b.done = n, from, from
	if cap(b.hits) > keepHits {
		b.hits = nil
	}
	b.hits = b.hits[:0]
}

// scan finds the hits whose bytes are all there; at the end of what will come,
// final, all that is left.
func (b *block) scan(final bool) {
	overlap := b.f.maxLen - 1
	until := b.n
	if !final {
		until = b.n - overlap
	}
	until = min(until, b.to)
	if until <= b.done {
		return
	}
	b.until = until
	b.f.Find(b.buf[b.done:min(until+overlap, b.n)], b.add)
	b.done = until
}

func (b *block) addHit(pos, literal int) {
	if pos += b.done; pos < b.until {
		b.hits = append(b.hits, Hit{Pos: pos, Literal: literal})
	}
}

// deliver calls fn with the block as a chunk and returns the '\n' before its end.
func (b *block) deliver(base, lines int64, last bool, fn func(*Chunk) error) (int64, error) {
	b.chunk = Chunk{
		Base: base, Data: b.buf[:b.n], From: b.from, To: b.to,
		Hits: b.hits, Lines: lines, Last: last, at: b.from,
	}
	if err := fn(&b.chunk); err != nil {
		return lines, err
	}
	return b.chunk.Line(b.to) - 1, nil
}
