package source

import (
	"bytes"
	"io"
	"math"

	"github.com/ulikunitz/xz"
)

// xzReader hands out what a torn xz file holds. The decoder fills its
// dictionary before it hands anything out, and on an error keeps what it has
// decoded to itself: up to 2 MiB, which is all of a small log. So where the
// data end inside a block, the source panics instead of reporting it; the
// decoder is left as it was and its dictionary can be read out.
type xzReader struct {
	r    *xz.Reader
	torn bool
	done bool // the dictionary is read out
}

// tornXZ is the panic of a tornSource and is never seen outside this file.
type tornXZ struct{}

// tornSource panics at the end of the data when one byte is asked for, as the
// decoder does inside blocks. Between streams, where a file may end, it asks
// for four.
type tornSource struct{ r io.Reader }

func (t tornSource) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	if n == 0 && err == io.EOF && len(p) == 1 {
		panic(tornXZ{})
	}
	return n, err
}

func newXZReader(r io.Reader) (x *xzReader, err error) {
	defer func() {
		if recoverTorn(recover()) {
			x, err = nil, io.ErrUnexpectedEOF
		}
	}()
	z, err := xz.NewReader(tornSource{r})
	if err != nil {
		return nil, err
	}
	return &xzReader{r: z}, nil
}

// recoverTorn swallows the tornSource's panic and no other.
func recoverTorn(v any) bool {
	if v == nil {
		return false
	}
	if _, ok := v.(tornXZ); !ok {
		panic(v)
	}
	return true
}

func (x *xzReader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if !x.torn {
		n, err, torn := x.read(p)
		if !torn {
			return n, err
		}
		x.torn = true
		if n > 0 {
			return n, nil
		}
	}
	// Byte by byte: once the dictionary is empty the decoder goes on from where
	// it was thrown out, and what it then decodes is nothing.
	n := 0
	for !x.done && n < len(p) {
		k, _, torn := x.read(p[n : n+1])
		x.done = torn || k == 0
		if !x.done {
			n++
		}
	}
	if n == 0 {
		return 0, io.ErrUnexpectedEOF
	}
	return n, nil
}

// read reads until the data tear. How much of p was filled by then is told by
// the zeros that are left: text has none at its end.
func (x *xzReader) read(p []byte) (n int, err error, torn bool) {
	clear(p)
	defer func() {
		if recoverTorn(recover()) {
			n, err, torn = len(bytes.TrimRight(p, "\x00")), nil, true
		}
	}()
	n, err = x.r.Read(p)
	return n, err, false
}

// windowError says that an xz file asks for a larger dictionary than is given.
type windowError struct{ size int64 }

func (e *windowError) Error() string { return "dictionary too large" }

func newXZ(r io.Reader) (io.Reader, error) {
	b := newBufferedReader(r)
	// The dictionary is allocated as the block header says, so that header is
	// looked at first. Later blocks of a file are written with the same options.
	if size := xzDictionary(b.peek(64)); size > maxWindow {
		return nil, &windowError{size}
	}
	return newXZReader(b)
}

// xzDictionary reads the dictionary size from the first block header.
func xzDictionary(head []byte) int64 {
	const streamHeader = 12
	if len(head) < streamHeader+2 {
		return 0
	}
	b := head[streamHeader:]
	size := (int(b[0]) + 1) * 4
	if b[0] == 0 || size > len(b) {
		return 0
	}
	flags, b := b[1], b[2:size]
	for _, bit := range [...]byte{0x40, 0x80} { // optional sizes
		if flags&bit == 0 {
			continue
		}
		for len(b) > 0 && b[0]&0x80 != 0 {
			b = b[1:]
		}
		if len(b) > 0 {
			b = b[1:]
		}
	}
	if len(b) < 3 || b[0] != 0x21 {
		return 0
	}
	bits := b[2] & 0x3f
	if bits == 40 {
		return math.MaxUint32
	}
	return int64(2|bits&1) << (bits/2 + 11)
}
