package tfevents

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Info is what reading a whole file showed beside its events.
type Info struct {
	Records int64
	Bytes   int64
	Gaps    []Gap
	Tail    *Tail
}

// Gap is a stretch that could not be read.
type Gap struct {
	From int64 // offset of the damaged frame
	To   int64 // where reading went on; the size of the file if nowhere
	Why  string
	Zero bool // the stretch holds only zero bytes
}

// Tail says that the file ends inside a record: normal after a kill.
type Tail struct {
	Offset int64 // of the record
	Size   int64 // bytes of it that are there
}

// maxGaps bounds the list; later ones extend the last.
const maxGaps = 64

// NotEventsError says that a file is no event file: not one frame verifies.
type NotEventsError struct{ Bytes int64 }

func (e *NotEventsError) Error() string {
	return fmt.Sprintf("no tensorboard event file: no record verifies in %d bytes", e.Bytes)
}

// Read calls each for every event that carries a version, a session state or
// scalars. An error of each ends the reading.
func Read(ctx context.Context, r io.Reader, each func(*Event) error) (Info, error) {
	f := &file{raw: counter{r: r}, each: each}
	f.src = bufio.NewReaderSize(&f.raw, 64<<10)
	f.dec.buf = make([]byte, 0, maxHeld)
	for {
		if err := ctx.Err(); err != nil {
			return f.finish(), err
		}
		more, err := f.record()
		if err != nil {
			return f.finish(), fmt.Errorf("reading events at offset %d: %w", f.offset, err)
		}
		if !more {
			break
		}
	}
	info := f.finish()
	if info.Records == 0 && info.Bytes > 0 && len(info.Gaps) > 0 {
		return info, &NotEventsError{Bytes: info.Bytes}
	}
	return info, nil
}

type file struct {
	raw    counter
	src    *bufio.Reader
	offset int64 // of the next byte of src
	each   func(*Event) error
	dec    decoder
	info   Info
}

func (f *file) finish() Info {
	f.info.Bytes = f.offset
	return f.info
}

// record reads one record; false at the end of the file.
func (f *file) record() (bool, error) {
	start := f.offset
	b, err := f.src.Peek(headerSize)
	if len(b) < headerSize {
		return false, f.tail(start, err)
	}
	n, ok := header(b)
	if !ok {
		return f.resync(start, "the length of a record does not verify")
	}
	f.discard(headerSize)
	e := Event{Offset: start}
	p := &payload{src: f.src, left: n}
	err = f.dec.event(p, &e)
	if errors.Is(err, errMalformed) {
		err = p.skip(p.left) // the sum decides whether it is damage
		e = Event{}
	}
	f.offset += n - p.left
	if err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return false, f.tail(start, io.EOF)
		}
		return false, err
	}
	sum, err := f.src.Peek(footerSize)
	if len(sum) < footerSize {
		return false, f.tail(start, err)
	}
	good := binary.LittleEndian.Uint32(sum) == mask(p.crc)
	f.discard(footerSize)
	if !good {
		f.gap(Gap{From: start, To: f.offset, Why: "the data of a record does not verify"})
		return true, nil
	}
	e.End = f.offset
	f.info.Records++
	if len(e.Scalars) == 0 && e.Version == "" && e.Session == NoSession {
		return true, nil
	}
	return true, f.each(&e)
}

func (f *file) discard(n int) {
	m, _ := f.src.Discard(n) // peeked before: it is there
	f.offset += int64(m)
}

// tail ends the file inside the record at start, or before it.
func (f *file) tail(start int64, err error) error {
	if !errors.Is(err, io.EOF) {
		return err
	}
	f.offset = f.raw.n // all of it was read to know that it ends here
	if f.offset > start {
		f.info.Tail = &Tail{Offset: start, Size: f.offset - start}
	}
	return nil
}

// counter counts what the source gave.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}

// resync looks for the next place where a frame header verifies. A sum over 8
// bytes is met by chance once in 2^32 places, and then the payload's sum
// fails too, so a wrong place costs its stretch and nothing else.
func (f *file) resync(start int64, why string) (bool, error) {
	zero := true
	for {
		b, err := f.src.Peek(f.src.Size())
		for i := 0; i+headerSize <= len(b); i++ {
			if _, ok := header(b[i:]); ok {
				f.discard(i)
				f.gap(Gap{From: start, To: f.offset, Why: why, Zero: zero})
				return true, nil
			}
			zero = zero && b[i] == 0
		}
		if err != nil {
			return false, f.lost(start, why, zero, b, err)
		}
		f.discard(len(b) - headerSize + 1)
	}
}

func (f *file) lost(start int64, why string, zero bool, rest []byte, err error) error {
	for _, c := range rest {
		zero = zero && c == 0
	}
	f.discard(len(rest))
	f.gap(Gap{From: start, To: f.offset, Why: why, Zero: zero})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func (f *file) gap(g Gap) {
	if n := len(f.info.Gaps); n >= maxGaps {
		f.info.Gaps[n-1].To = g.To
		return
	}
	f.info.Gaps = append(f.info.Gaps, g)
}
