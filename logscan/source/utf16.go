package source

import (
	"bytes"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

type encoding byte

const (
	utf8Text encoding = iota
	utf16LE
	utf16BE
)

// encodingOf finds UTF-16 by the pattern of its NUL bytes: Latin text has one
// in every second place. A byte order mark alone proves nothing, since a log
// can begin with those two bytes by accident; with it fewer NULs will do.
func encodingOf(head []byte) encoding {
	if bytes.IndexByte(head, 0) < 0 {
		return utf8Text
	}
	var nuls [2]int
	for i, c := range head {
		if c == 0 {
			nuls[i&1]++
		}
	}
	units := len(head) / 2
	if units < 4 {
		return utf8Text
	}
	need := units * 6 / 10
	switch {
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}) && nuls[0]*4 <= nuls[1]:
		need = units / 6
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}) && nuls[1]*4 <= nuls[0]:
		need = units / 6
	}
	switch {
	case nuls[1] > need && nuls[0]*10 < nuls[1]:
		return utf16LE
	case nuls[0] > need && nuls[1]*10 < nuls[0]:
		return utf16BE
	}
	return utf8Text
}

// utf16Reader turns UTF-16 into UTF-8. Half a pair becomes U+FFFD, an odd last
// byte is dropped.
type utf16Reader struct {
	src     io.Reader
	big     bool
	started bool
	in      []byte // not yet decoded
	out     []byte // not yet handed out
	buf     []byte
	err     error
}

func newUTF16Reader(src io.Reader, e encoding) *utf16Reader {
	return &utf16Reader{src: src, big: e == utf16BE, buf: make([]byte, 0, 32<<10)}
}

func (u *utf16Reader) Read(p []byte) (int, error) {
	for len(u.out) == 0 {
		if u.err != nil {
			return 0, u.err
		}
		u.fill()
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}

func (u *utf16Reader) fill() {
	n := copy(u.buf[:cap(u.buf)], u.in)
	k, err := u.src.Read(u.buf[n:cap(u.buf)])
	u.err = err
	u.in = u.buf[:n+k]
	u.out = u.out[:0]
	for len(u.in) >= 2 {
		r, size := u.rune(u.in)
		if size == 0 { // half a pair: wait for the rest
			if u.err == nil {
				return
			}
			r, size = utf8.RuneError, 2
		}
		u.in = u.in[size:]
		if !u.started && r == 0xfeff {
			u.started = true
			continue
		}
		u.started = true
		u.out = utf8.AppendRune(u.out, r)
	}
}

func (u *utf16Reader) unit(b []byte) uint16 {
	if u.big {
		return uint16(b[0])<<8 | uint16(b[1])
	}
	return uint16(b[1])<<8 | uint16(b[0])
}

func (u *utf16Reader) rune(b []byte) (rune, int) {
	first := rune(u.unit(b))
	if !utf16.IsSurrogate(first) {
		return first, 2
	}
	if len(b) < 4 {
		return 0, 0
	}
	if r := utf16.DecodeRune(first, rune(u.unit(b[2:]))); r != utf8.RuneError {
		return r, 4
	}
	return utf8.RuneError, 2
}
