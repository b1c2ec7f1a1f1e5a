package tfevents

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

const (
	headerSize = 12      // length and its sum
	footerSize = 4       // sum of the payload
	maxPayload = 1 << 31 // longer records are taken for damage
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// mask is how event files store a CRC, so that sums of data that holds sums
// stay apart.
func mask(crc uint32) uint32 { return (crc>>15 | crc<<17) + 0xa282ead8 }

// header reports the payload length if b begins with a frame header that
// verifies.
func header(b []byte) (int64, bool) {
	n := binary.LittleEndian.Uint64(b)
	if binary.LittleEndian.Uint32(b[8:]) != mask(crc32.Checksum(b[:8], castagnoli)) || n > maxPayload {
		return 0, false
	}
	return int64(n), true
}

// payload is the part of the stream that one record's data fills. It sums what
// passes, so that nothing needs to be held for it.
type payload struct {
	src  *bufio.Reader
	left int64
	crc  uint32
	one  [1]byte
}

func (p *payload) ReadByte() (byte, error) {
	if p.left == 0 {
		return 0, io.EOF
	}
	c, err := p.src.ReadByte()
	if err != nil {
		return 0, unexpected(err)
	}
	p.one[0] = c
	p.crc = crc32.Update(p.crc, castagnoli, p.one[:])
	p.left--
	return c, nil
}

// read returns the next n bytes in buf, grown where needed.
func (p *payload) read(buf []byte, n int64) ([]byte, error) {
	if n > p.left {
		return buf, errMalformed
	}
	if int64(cap(buf)) < n {
		buf = make([]byte, n)
	}
	buf = buf[:n]
	if _, err := io.ReadFull(p.src, buf); err != nil {
		return buf, unexpected(err)
	}
	p.crc = crc32.Update(p.crc, castagnoli, buf)
	p.left -= n
	return buf, nil
}

// skip reads over n bytes.
func (p *payload) skip(n int64) error {
	if n > p.left {
		return errMalformed
	}
	for n > 0 {
		b, err := p.src.Peek(int(min(n, int64(p.src.Size()))))
		if len(b) == 0 {
			return unexpected(err)
		}
		p.crc = crc32.Update(p.crc, castagnoli, b)
		n -= int64(len(b))
		p.left -= int64(len(b))
		if _, err := p.src.Discard(len(b)); err != nil {
			return unexpected(err)
		}
	}
	return nil
}

// errMalformed: the payload is no Event, whatever its sum says.
var errMalformed = errors.New("malformed event")

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
