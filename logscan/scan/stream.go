package scan

import (
	"context"
	"errors"
	"io"
)

// emptyReads is how often a reader may return nothing without an error.
const emptyReads = 100

// Stream is [Chunks] for what can only be read forward: pipes, compressed
// files. Chunks have the same borders and contents as those of Chunks. It
// returns fn's error as it is, ctx's error (looked at between reads), and, once
// what was there is delivered, [*ReadError] if r ends with anything but io.EOF.
func Stream(ctx context.Context, r io.Reader, f *Filter, fn func(*Chunk) error) error {
	b := f.borrow()
	defer f.giveBack(b)
	b.reset(0, 0, 0)
	var base, lines int64
	var readErr error
	for {
		target := b.from + chunkSize
		b.to = target
		if readErr == nil {
			readErr = b.readForward(ctx, r, target+f.ahead())
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		b.to = min(target, b.n)
		b.scan(readErr != nil || b.n == target+f.ahead())
		last := readErr != nil && b.n <= target
		if err := b.deliver(base, lines, last, fn); err != nil {
			return err
		}
		base += int64(b.to - b.from)
		lines += b.lines
		if last {
			return streamEnd(base, readErr)
		}
		b.slide()
	}
}

func streamEnd(offset int64, err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return &ReadError{Offset: offset, Err: err}
}

// readForward fills the block up to end and scans as it goes. At the end of r
// it returns r's error, io.EOF included.
func (b *block) readForward(ctx context.Context, r io.Reader, end int) error {
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
	b.reset(n, b.to-keep, 0)
}
