package wandb

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

const (
	blockSize  = 32 << 10
	chunkSize  = 7 // header of a chunk: sum, length, type
	headerSize = 7 // header of the file: ident, magic, version
	maxRecord  = 4 << 20
	maxGaps    = 64
)

// Types of a chunk.
const (
	chunkFull = iota + 1
	chunkFirst
	chunkMiddle
	chunkLast
)

// NotWandbError says that a file does not begin as a run file does.
type NotWandbError struct{ Head []byte }

func (e *NotWandbError) Error() string {
	return fmt.Sprintf("no wandb run file: it begins with %x", e.Head)
}

// Gap is a stretch that could not be read.
type Gap struct {
	From int64
	To   int64
	Why  string
	Zero bool // the stretch holds only zero bytes
}

// Tail says that the file ends inside a record: normal after a kill.
type Tail struct {
	Offset int64 // of the record
	Size   int64 // bytes of it that are there
}

// log reads the records of the file.
type log struct {
	src   io.Reader
	block []byte // the current block, as far as the file has it
	pos   int
	base  int64 // offset of the block
	last  bool  // the file ends in this block

	record []byte
	start  int64 // of the record that is being put together; -1: none
	large  bool  // it is larger than is looked at

	gaps []Gap
	tail *Tail
	over int64 // records that were too large
}

func newLog(src io.Reader) *log {
	return &log{src: src, block: make([]byte, 0, blockSize), start: -1}
}

func (l *log) open() error {
	if err := l.load(); err != nil {
		return err
	}
	h := l.block[:min(len(l.block), headerSize)]
	if len(h) < headerSize || string(h[:4]) != ":W&B" || binary.LittleEndian.Uint16(h[4:]) != 0xBEE1 {
		return &NotWandbError{Head: append([]byte(nil), h...)}
	}
	l.pos = headerSize
	return nil
}

func (l *log) load() error {
	l.base += int64(len(l.block))
	l.pos = 0
	n, err := io.ReadFull(l.src, l.block[:blockSize])
	l.block = l.block[:n]
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		l.last = true
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading a wandb run at offset %d: %w", l.base+int64(n), err)
	}
	return nil
}

// end is the offset behind what was read.
func (l *log) end() int64 { return l.base + int64(len(l.block)) }

// next returns a record and its place; io.EOF behind the last. The data is
// valid until the next call.
func (l *log) next() (data []byte, from, to int64, err error) {
	for {
		if blockSize-l.pos < chunkSize || l.pos == len(l.block) {
			if l.last {
				return nil, 0, 0, l.finish()
			}
			if err := l.load(); err != nil {
				return nil, 0, 0, err
			}
			continue
		}
		typ, chunk, ok := l.chunk()
		if !ok {
			continue
		}
		if !l.join(typ, chunk) {
			continue
		}
		from, l.start = l.start, -1
		if l.large {
			l.over++
			continue
		}
		return l.record, from, l.base + int64(l.pos), nil
	}
}

// finish ends the file; a record that was begun is its tail.
func (l *log) finish() error {
	if l.start >= 0 && l.tail == nil {
		l.tail = &Tail{Offset: l.start, Size: l.end() - l.start}
	}
	return io.EOF
}

// chunk takes the next chunk of the block; false where it does not verify.
func (l *log) chunk() (typ int, data []byte, ok bool) {
	rest := l.block[l.pos:]
	at := l.base + int64(l.pos)
	if len(rest) < chunkSize {
		return 0, nil, l.cut(at)
	}
	size := int(binary.LittleEndian.Uint16(rest[4:]))
	if l.pos+chunkSize+size > blockSize {
		return 0, nil, l.lose("a chunk is longer than its block")
	}
	if len(rest) < chunkSize+size {
		return 0, nil, l.cut(at)
	}
	typ, data = int(rest[6]), rest[chunkSize:chunkSize+size]
	if !verifies(rest) {
		if next := rest[chunkSize+size:]; verifies(next) {
			return 0, nil, l.loseUntil(l.pos+chunkSize+size, "the data of a chunk does not verify")
		}
		return 0, nil, l.lose("a chunk does not verify")
	}
	l.pos += chunkSize + size
	return typ, data, true
}

// cut ends the file inside a chunk.
func (l *log) cut(at int64) bool {
	if l.start < 0 {
		l.start = at
	}
	l.pos = len(l.block)
	return false
}

// verifies reports whether b begins with a whole chunk whose sum holds.
func verifies(b []byte) bool {
	if len(b) < chunkSize {
		return false
	}
	end := chunkSize + int(binary.LittleEndian.Uint16(b[4:]))
	return end <= len(b) && binary.LittleEndian.Uint32(b) == crc32.ChecksumIEEE(b[6:end])
}

// lose gives up the rest of the block: no length in it can be relied on.
func (l *log) lose(why string) bool { return l.loseUntil(len(l.block), why) }

func (l *log) loseUntil(pos int, why string) bool {
	g := Gap{From: l.base + int64(l.pos), To: l.base + int64(pos), Why: why, Zero: true}
	for _, c := range l.block[l.pos:pos] {
		g.Zero = g.Zero && c == 0
	}
	if l.start >= 0 {
		g.From = l.start
		l.start = -1
	}
	l.gap(g)
	l.pos = pos
	return false
}

// gap notes a stretch; one that follows right behind the last joins it.
func (l *log) gap(g Gap) {
	n := len(l.gaps)
	if n > 0 && (l.gaps[n-1].To == g.From || n >= maxGaps) {
		l.gaps[n-1].To = g.To
		l.gaps[n-1].Zero = l.gaps[n-1].Zero && g.Zero
		return
	}
	l.gaps = append(l.gaps, g)
}

// join puts a chunk to its record; true when the record is complete.
func (l *log) join(typ int, data []byte) bool {
	end := l.base + int64(l.pos)
	at := end - int64(len(data)) - chunkSize
	switch typ {
	case chunkFull, chunkFirst:
		if l.start >= 0 {
			l.gap(Gap{From: l.start, To: at, Why: "a record was begun and not ended"})
		}
		l.start, l.record, l.large = at, l.record[:0], false
	case chunkMiddle, chunkLast:
		if l.start < 0 {
			l.gap(Gap{From: at, To: end, Why: "the beginning of a record is missing"})
			return false
		}
	default:
		l.gap(Gap{From: at, To: end, Why: "a chunk of an unknown type"})
		return false
	}
	l.large = l.large || len(l.record)+len(data) > maxRecord
	if !l.large {
		l.record = append(l.record, data...)
	}
	return typ == chunkFull || typ == chunkLast
}
