package source

import (
	"bytes"
	"errors"
	"io"
	"math"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// format is how the bytes of a file have to be decoded: first compression,
// then encoding, then the JSON of a receiver.
type format struct {
	compression compression
	encoding    encoding
	wrap        wrapping
}

func (f format) plain() bool { return f == format{} }

type compression byte

const (
	uncompressed compression = iota
	gzipped
	zstdCompressed
	xzCompressed
)

// compressionOf goes by the magic bytes; names do not count.
func compressionOf(head []byte) compression {
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b, 8}):
		return gzipped
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}),
		len(head) > 4 && head[0]>>4 == 5 && bytes.HasPrefix(head[1:], []byte{0x2a, 0x4d, 0x18}):
		return zstdCompressed
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		return xzCompressed
	}
	return uncompressed
}

const (
	maxWindow = 64 << 20 // memory that one compressed file may ask for
	// Ratios of logs lie under 100, a storm of one line reaches a few hundred.
	// The check starts late, so that short ones are read whole.
	maxRatio       = 500
	ratioFrom      = 256 << 20
	defaultMaxSize = 64 << 30
)

// decoder unfolds compressed data within bounds and types its errors.
type decoder struct {
	path  string
	limit int64
	in    *countingReader
	out   int64
	r     io.Reader
	close func()
}

func newDecoder(path string, c compression, src io.Reader, limit int64) (*decoder, error) {
	d := &decoder{path: path, limit: limit, in: &countingReader{r: src}, close: func() {}}
	if d.limit <= 0 {
		d.limit = defaultMaxSize
	}
	var err error
	switch c {
	case gzipped:
		d.r, err = newMembers(d.in)
	case zstdCompressed:
		var z *zstd.Decoder
		z, err = zstd.NewReader(d.in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderMaxMemory(math.MaxInt64))
		if err == nil {
			d.r, d.close = z, z.Close
		}
	case xzCompressed:
		d.r, err = newXZ(d.in)
	}
	if err != nil {
		return nil, d.typed(err)
	}
	return d, nil
}

func (d *decoder) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	d.out += int64(n)
	switch {
	case d.out > d.limit:
		return n, &Bomb{d.path, d.in.n, d.out, "it unfolds to more than the limit"}
	case d.out > ratioFrom && d.out > maxRatio*d.in.n:
		return n, &Bomb{d.path, d.in.n, d.out, "no log compresses that well"}
	case err == nil || err == io.EOF:
		return n, err
	}
	return n, d.typed(err)
}

func (d *decoder) typed(err error) error {
	var window *windowError
	switch {
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded), errors.As(err, &window):
		return &Bomb{d.path, d.in.n, d.out, "it needs a window above 64 MiB"}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &Truncated{d.path, d.out, io.ErrUnexpectedEOF}
	}
	return &Corrupt{d.path, d.out, err}
}

type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// members reads concatenated gzip members as one stream. Zero padding behind
// them is no error: tapes and some copies add it.
type members struct {
	src *bufferedReader
	z   *gzip.Reader
}

func newMembers(r io.Reader) (*members, error) {
	m := &members{src: newBufferedReader(r)}
	var err error
	if m.z, err = gzip.NewReader(m.src); err != nil {
		return nil, err
	}
	m.z.Multistream(false)
	return m, nil
}

func (m *members) Read(p []byte) (int, error) {
	for {
		n, err := m.z.Read(p)
		if n > 0 && err == io.EOF {
			return n, nil // said again when nothing is left
		}
		if err != io.EOF {
			return n, err
		}
		if m.src.zerosToEnd() {
			return 0, io.EOF
		}
		if err := m.z.Reset(m.src); err != nil {
			return 0, err
		}
		m.z.Multistream(false)
	}
}
