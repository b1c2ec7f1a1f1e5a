package scan

import (
	"context"
	"errors"
	"io"
)

// Chunks filters size bytes of r, which it reads by positional reads from the
// start on, and calls fn for each chunk in order. fn sees at least one chunk.
//
// It returns fn's error as it is, ctx's error when that ends first, and, once
// what was there is delivered, [*ShortReadError] if the source has become
// shorter than size or [*ReadError] if it cannot be read. What was appended
// beyond size is not looked at.
func Chunks(ctx context.Context, r io.ReaderAt, size int64, f *Filter, fn func(*Chunk) error) error {
	size = max(size, 0)
	got, end, err := f.stream(ctx, io.NewSectionReader(r, 0, size), fn)
	if err == nil && got < size && errors.Is(end, io.EOF) {
		return &ShortReadError{Size: size, Got: got}
	}
	return ended(got, end, err)
}

// Stream is [Chunks] for what can only be read forward: pipes, compressed
// files. It returns fn's error as it is, ctx's error (looked at between reads),
// and, once what was there is delivered, [*ReadError] if r ends with anything
// but io.EOF.
func Stream(ctx context.Context, r io.Reader, f *Filter, fn func(*Chunk) error) error {
	return ended(f.stream(ctx, r, fn))
}

func ended(got int64, end, err error) error {
	if err != nil || errors.Is(end, io.EOF) {
		return err
	}
	return &ReadError{Offset: got, Err: end}
}

// stream delivers r in chunks. It returns how many bytes it delivered, with
// which error r ended, io.EOF included, and the error of fn or ctx.
func (f *Filter) stream(ctx context.Context, r io.Reader, fn func(*Chunk) error) (got int64, end, err error) {
	b := f.borrow()
	defer f.giveBack(b)
	b.reset(0, 0)
	var lines int64
	for last := false; !last; {
		target := b.from + chunkSize
		b.to = target
		if end == nil {
			end = b.read(ctx, r, target+f.ahead())
		}
		if err := ctx.Err(); err != nil {
			return got, end, err
		}
		b.to = min(target, b.n)
		b.scan(end != nil || b.n == target+f.ahead())
		last = end != nil && b.n <= target
		if lines, err = b.deliver(got, lines, last, fn); err != nil {
			return got, end, err
		}
		got += int64(b.to - b.from)
		b.slide()
	}
	return got, end, nil
}

// read fills the block up to end and scans what it reads while that is in the
// cache. At the end of r it returns r's error, io.EOF included.
func (b *block) read(ctx context.Context, r io.Reader, end int) error {
	for empty := 0; b.n < end; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := r.Read(b.buf[b.n:min(b.n+readSize, end)])
		b.n += n
		if err != nil {
			return err
		}
		if empty++; n > 0 {
			empty = 0
		} else if empty >= emptyReads {
			return io.ErrNoProgress
		}
		if b.n-b.done >= readSize {
			b.scan(false)
		}
	}
	return nil
}

// slide makes the end of this chunk the context of the next one.
func (b *block) slide() {
	keep := max(0, b.to-lookBehind)
	n := copy(b.buf, b.buf[keep:b.n])
	b.reset(n, b.to-keep)
}
