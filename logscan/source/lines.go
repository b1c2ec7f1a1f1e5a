package source

import (
	"bytes"
	"context"
	"errors"
	"io"
)

const (
	// maxRecord is the longest record that is handed on in one piece.
	maxRecord = 64 << 10
	// pieceOverlap is how much of a piece stands again at the start of the next,
	// so that a marker or value at the cut is whole in one of them.
	pieceOverlap = 256
	lineBuffer   = 256 << 10
)

// Lines cuts a decoded text source into records. Memory does not depend on how
// long its lines are.
type Lines struct {
	style   Style
	src     io.Reader
	buf     []byte // read and not yet handed on
	base    int64  // offset of buf[0]
	eof     error
	ends    [3]finder
	scratch []byte
	prefix  prefixReader

	no        int64 // of the current physical line
	open      bool  // the current physical line has bytes
	bar       bool  // a record of this physical line was ended by \r
	inherited Prefix
	overlap   int // the record goes on from a piece, which ended with so many of its bytes
	joiner    joiner
	line      Line

	stats Stats
}

// Stats is what a pass over a source saw besides its records.
type Stats struct {
	Bytes   int64
	Lines   int64 // physical lines, counted by \n; a last one without counts
	Records int64
	Holes   []Hole // stretches of NUL, as a truncation under an open file leaves; at most maxHoles
	NULs    int64
}

// Hole is a stretch of NUL bytes.
type Hole struct{ Offset, Len int64 }

// minHole is the shortest stretch of NUL that is a hole and no stray byte.
const (
	minHole  = 16
	maxHoles = 64
)

// EachLine calls fn for every record of a text source, in order. The style is
// found on the first bytes. The line and its text are valid until fn returns.
// An error of fn or of r ends the pass and is returned as it is.
func EachLine(ctx context.Context, r io.Reader, fn func(*Line) error) error {
	l := NewLines(r, Style{})
	for len(l.buf) < sniffSize && l.fill() == nil {
	}
	l.style = Sniff(l.buf[:min(len(l.buf), sniffSize)], Options{})
	return l.Each(ctx, fn)
}

// NewLines prepares a pass over r, whose lines look as st says.
func NewLines(r io.Reader, st Style) *Lines {
	l := &Lines{style: st, src: r, no: 1, buf: make([]byte, 0, lineBuffer)}
	l.prefix.names = &names{m: map[string]string{}}
	for i, c := range [...]byte{'\n', '\r', '\b'} {
		l.ends[i].c = c
	}
	return l
}

// Stats is complete after Each.
func (l *Lines) Stats() Stats { return l.stats }

// finder remembers where its byte comes next, so that each byte of the buffer
// is searched once however many records there are.
type finder struct {
	c       byte
	next    int // -1: not before scanned
	scanned int
}

func (f *finder) from(buf []byte, pos int) int {
	if f.next >= pos && f.scanned > 0 {
		return f.next
	}
	start := max(pos, f.scanned)
	if start < len(buf) {
		if i := bytes.IndexByte(buf[start:], f.c); i >= 0 {
			f.next, f.scanned = start+i, start+i+1
			return f.next
		}
	}
	f.next, f.scanned = -1, len(buf)
	return -1
}

func (f *finder) shift(n int) {
	f.scanned = max(0, f.scanned-n)
	if f.next >= 0 {
		f.next -= n
	}
}

// fill drops what was handed on and reads more.
func (l *Lines) fill() error {
	if l.eof != nil {
		return l.eof
	}
	for range 100 {
		n, err := l.src.Read(l.buf[len(l.buf):cap(l.buf)])
		l.buf = l.buf[:len(l.buf)+n]
		if err != nil {
			l.eof = err
			return err
		}
		if n > 0 {
			return nil
		}
	}
	l.eof = io.ErrNoProgress
	return l.eof
}

func (l *Lines) drop(n int) {
	rest := copy(l.buf, l.buf[n:])
	l.buf = l.buf[:rest]
	l.base += int64(n)
	for i := range l.ends {
		l.ends[i].shift(n)
	}
}

// Each calls fn for every record.
func (l *Lines) Each(ctx context.Context, fn func(*Line) error) error {
	pos := 0
	for {
		for l.eof == nil && len(l.buf)-pos <= maxRecord && !l.hasEnd(pos) {
			if err := ctx.Err(); err != nil {
				return err
			}
			l.drop(pos)
			pos = 0
			_ = l.fill() // kept in l.eof
		}
		if pos == len(l.buf) {
			break
		}
		n, err := l.record(pos, fn)
		if err != nil {
			return err
		}
		pos += n
	}
	if err := l.joiner.flush(fn); err != nil {
		return err
	}
	l.stats.Bytes = l.base + int64(len(l.buf))
	l.stats.Lines = l.no - 1
	if l.open {
		l.stats.Lines++
	}
	if errors.Is(l.eof, io.EOF) {
		return nil
	}
	return l.eof
}

// hasEnd says whether a record end lies in the buffer, with the byte behind it
// that tells \r from \r\n and \b from \b\b.
func (l *Lines) hasEnd(pos int) bool {
	end, _ := l.findEnd(pos)
	return end >= 0 && (l.buf[end] == '\n' || end+1 < len(l.buf))
}

// findEnd returns where the record at pos ends and how long its end is.
func (l *Lines) findEnd(pos int) (end, width int) {
	nl, cr := l.ends[0].from(l.buf, pos), l.ends[1].from(l.buf, pos)
	end, width = nl, 1
	if cr >= 0 && (nl < 0 || cr < nl) {
		end = cr
		if cr+1 < len(l.buf) && l.buf[cr+1] == '\n' {
			width = 2
		}
	}
	for at := pos; ; {
		bs := l.ends[2].from(l.buf, at)
		if bs < 0 || end >= 0 && bs > end {
			return end, width
		}
		if n := runLen(l.buf[bs:], '\b'); n > 1 || bs+1 == len(l.buf) && l.eof == nil {
			return bs, n
		}
		at = bs + 1
	}
}
