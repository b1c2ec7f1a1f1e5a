package scan

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
)

// Chunks reads size bytes of r by positional reads, filters them with the given
// number of workers (at least one), and calls fn for each chunk in order, on
// the calling goroutine. fn sees at least one chunk. Memory is about 1.1 MiB a
// worker, and once more when there are several.
//
// It returns fn's error as it is, ctx's error when that ends first, and, once
// what was there is delivered, [*ShortReadError] if the source has become
// shorter than size or [*ReadError] if it cannot be read. What was appended
// beyond size is not looked at.
func Chunks(ctx context.Context, r io.ReaderAt, size int64, f *Filter, workers int, fn func(*Chunk) error) error {
	s := &source{r: r, size: max(size, 0), f: f}
	if workers = int(min(int64(workers), s.chunks())); workers <= 1 {
		return s.oneByOne(ctx, fn)
	}
	return s.inParallel(ctx, workers, fn)
}

// source is one call of Chunks.
type source struct {
	r    io.ReaderAt
	size int64
	f    *Filter
}

func (s *source) chunks() int64 { return max(1, (s.size+chunkSize-1)/chunkSize) }

func (s *source) oneByOne(ctx context.Context, fn func(*Chunk) error) error {
	b := s.f.borrow()
	defer s.f.giveBack(b)
	var lines int64
	for index := range s.chunks() {
		if err := ctx.Err(); err != nil {
			return err
		}
		readErr := s.fill(b, index)
		if err := s.deliver(b, index, lines, readErr, fn); err != nil {
			return err
		}
		lines += b.lines
	}
	return nil
}

// turn is a place in the ring of blocks: chunk i is filled and delivered in
// turn i modulo their number.
type turn struct {
	block *block
	err   error
	free  chan struct{} // the chunk before in this place has been delivered
	full  chan struct{} // the block is filled and scanned
}

func (s *source) inParallel(ctx context.Context, workers int, fn func(*Chunk) error) error {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	ring := make([]turn, workers+1) // one more, so that fn holds up nobody
	defer func() {
		cancel()
		running.Wait()
		for i := range ring {
			s.f.giveBack(ring[i].block)
		}
	}()
	for i := range ring {
		ring[i] = turn{block: s.f.borrow(), free: make(chan struct{}, 1), full: make(chan struct{}, 1)}
		ring[i].free <- struct{}{}
	}
	var next atomic.Int64
	for range workers {
		running.Go(func() { s.work(ctx, ring, &next) })
	}
	return s.collect(ctx, ring, fn)
}

// work fills chunks. Indexes are taken in order, so the lowest one that is not
// delivered always has a worker, and its place in the ring is free: no deadlock.
func (s *source) work(ctx context.Context, ring []turn, next *atomic.Int64) {
	for {
		index := next.Add(1) - 1
		if index >= s.chunks() {
			return
		}
		t := &ring[index%int64(len(ring))]
		select {
		case <-ctx.Done():
			return
		case <-t.free:
		}
		t.err = s.fill(t.block, index)
		t.full <- struct{}{}
	}
}

func (s *source) collect(ctx context.Context, ring []turn, fn func(*Chunk) error) error {
	var lines int64
	for index := range s.chunks() {
		if err := ctx.Err(); err != nil {
			return err
		}
		t := &ring[index%int64(len(ring))]
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-t.full:
		}
		if err := s.deliver(t.block, index, lines, t.err, fn); err != nil {
			return err
		}
		lines += t.block.lines
		t.free <- struct{}{}
	}
	return nil
}

// fill reads and scans a chunk with its context. After an error the block holds
// what was there.
func (s *source) fill(b *block, index int64) error {
	base := index * chunkSize
	start := max(0, base-lookBehind)
	from := int(base - start)
	to := int(min(s.size, base+chunkSize) - start)
	end := int(min(s.size, base+chunkSize+int64(s.f.ahead())) - start)
	b.reset(0, from, to)
	for b.n < end {
		piece := b.buf[b.n:min(b.n+readSize, end)]
		n, err := s.r.ReadAt(piece, start+int64(b.n))
		b.n += n
		if n < len(piece) {
			return s.cut(b, err)
		}
		b.scan(b.n == end)
	}
	return nil
}

// cut ends a chunk where reading stopped.
func (s *source) cut(b *block, err error) error {
	if b.n >= b.to {
		// The own part is whole; the next chunk will meet the error.
		b.scan(true)
		return nil
	}
	if b.n < b.from {
		// Not even the context is left: it was delivered once, and is gone.
		b.reset(0, 0, 0)
	}
	b.to = b.n
	b.scan(true)
	if err == nil {
		err = io.ErrNoProgress // a reader that breaks the contract of ReadAt
	}
	return err
}

// deliver hands on a filled chunk, then reports how reading it ended.
func (s *source) deliver(b *block, index, lines int64, readErr error, fn func(*Chunk) error) error {
	base := index * chunkSize
	last := readErr != nil || index == s.chunks()-1
	if err := b.deliver(base, lines, last, fn); err != nil || readErr == nil {
		return err
	}
	got := base + int64(b.to-b.from)
	if errors.Is(readErr, io.EOF) {
		return &ShortReadError{Size: s.size, Got: got}
	}
	return &ReadError{Offset: got, Err: readErr}
}
