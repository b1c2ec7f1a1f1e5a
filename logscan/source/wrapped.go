package source

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// wrapping is the form in which a receiver keeps each line: an object of JSON.
type wrapping byte

const (
	unwrapped wrapping = iota
	dockerLines
	journalLines
)

// unwrap appends the line that an object holds, with its time, to dst; false:
// the line is not of this form.
func (w wrapping) unwrap(dst, line []byte) ([]byte, bool) {
	switch w {
	case dockerLines:
		return unwrapDocker(dst, line)
	case journalLines:
		return unwrapJournal(dst, line)
	}
	return dst, false
}

// wrappingOf says in which form the line stands.
func wrappingOf(line []byte) wrapping {
	if len(line) < 2 || line[0] != '{' {
		return unwrapped
	}
	for _, w := range []wrapping{dockerLines, journalLines} {
		if _, ok := w.unwrap(nil, line); ok {
			return w
		}
	}
	return unwrapped
}

// unwrapReader turns lines of JSON into the lines that they hold, one for one,
// so that line numbers stay those of the file and the readers of prefixes serve
// both. A line that is not of the form passes as it is.
type unwrapReader struct {
	src *bufio.Reader
	as  wrapping
	out []byte
	buf []byte
	err error
}

// maxWrappedLine: Docker cuts text at 16 KiB and the journal at 48 KiB, which
// escapes make at most six times as long.
const maxWrappedLine = 384 << 10

func newUnwrapReader(src io.Reader, as wrapping) *unwrapReader {
	return &unwrapReader{src: bufio.NewReaderSize(src, maxWrappedLine), as: as}
}

func (r *unwrapReader) Read(p []byte) (int, error) {
	for len(r.out) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		r.next()
	}
	n := copy(p, r.out)
	r.out = r.out[n:]
	return n, nil
}

func (r *unwrapReader) next() {
	line, err := r.src.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		err = nil
	}
	r.err = err
	b, ok := r.as.unwrap(r.buf[:0], line)
	if ok {
		b = append(b, '\n')
	} else {
		b = append(b[:0], line...)
	}
	r.buf, r.out = b, b
}

// oneLine keeps a text with line breaks one line: they become carriage returns.
func oneLine(b []byte) {
	for i, c := range b {
		if c == '\n' {
			b[i] = '\r'
		}
	}
}

// unwrapDocker reads {"log":"...","stream":"stdout","time":"..."} with its
// fields in any order, and writes it as the container runtime interface does:
// "stamp stderr F text".
func unwrapDocker(dst, line []byte) ([]byte, bool) {
	var text, time []byte
	stream, seen := "", 0
	ok := eachField(line, func(key, value []byte) bool {
		switch string(key) {
		case "log":
			text, seen = stringOf(value), seen|1
		case "stream":
			switch string(value) {
			case `"stdout"`:
				stream = " stdout"
			case `"stderr"`:
				stream = " stderr"
			default:
				return false
			}
			seen |= 2
		case "time":
			time, seen = stringOf(value), seen|4
		}
		return true
	})
	if !ok || seen != 7 || !isStamp(time) {
		return dst, false
	}
	dst = append(append(dst, time...), stream...)
	text, whole := bytes.CutSuffix(text, []byte{'\n'})
	if whole {
		dst = append(dst, " F "...)
	} else {
		dst = append(dst, " P "...)
	}
	oneLine(text)
	return append(dst, text...), true
}

// eachField hands out the fields of one object of JSON, values as they are
// written. false: it is no whole object, or was not wanted.
func eachField(b []byte, use func(key, value []byte) bool) bool {
	b = bytes.TrimSpace(b)
	if len(b) < 2 || b[0] != '{' || b[len(b)-1] != '}' {
		return false
	}
	b = b[1:]
	for {
		b = bytes.TrimLeft(b, " ,")
		if len(b) == 0 || b[0] != '"' {
			return true
		}
		key, rest, ok := jsonString(b, nil)
		rest = bytes.TrimLeft(rest, " ")
		if !ok || len(rest) == 0 || rest[0] != ':' {
			return false
		}
		rest = bytes.TrimLeft(rest[1:], " ")
		if len(rest) == 0 {
			return false
		}
		if rest[0] == '"' {
			_, b, ok = jsonString(rest, nil)
		} else { // an object, a number
			b = skipValue(rest)
			ok = b != nil
		}
		if !ok || !use(key, rest[:len(rest)-len(b)]) {
			return false
		}
	}
}

// stringOf is the text of a quoted value; nil for any other.
func stringOf(value []byte) []byte {
	if len(value) == 0 || value[0] != '"' {
		return nil
	}
	s, _, _ := jsonString(value, nil)
	return s
}

func isStamp(b []byte) bool {
	c := cursor{b: b}
	var s stamp
	return len(b) > 8 && c.date(&s, false, false) && c.end()
}

// skipValue jumps over a value that is no string; nil: it does not end.
func skipValue(b []byte) []byte {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			_, rest, ok := jsonString(b[i:], nil)
			if !ok {
				return nil
			}
			i = len(b) - len(rest) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return b[i:]
			}
			depth--
		case ',':
			if depth == 0 {
				return b[i:]
			}
		}
	}
	return nil
}

// jsonString reads a quoted string at the start of b onto dst. Bytes that are
// no UTF-8 are kept.
func jsonString(b, dst []byte) (s, rest []byte, ok bool) {
	b = b[1:]
	for {
		i := bytes.IndexAny(b, `"\`)
		if i < 0 {
			return dst, nil, false
		}
		dst = append(dst, b[:i]...)
		if b[i] == '"' {
			return dst, b[i+1:], true
		}
		if i+1 >= len(b) {
			return dst, nil, false
		}
		n := 0
		if dst, n = appendEscape(dst, b[i:]); n == 0 {
			return dst, nil, false
		}
		b = b[i+n:]
	}
}

// appendEscape decodes the escape that b starts with and returns its length.
func appendEscape(dst, b []byte) ([]byte, int) {
	switch c := b[1]; c {
	case 'n':
		return append(dst, '\n'), 2
	case 'r':
		return append(dst, '\r'), 2
	case 't':
		return append(dst, '\t'), 2
	case 'b':
		return append(dst, '\b'), 2
	case 'f':
		return append(dst, '\f'), 2
	case 'u':
		r, ok := hexRune(b)
		if !ok {
			return dst, 0
		}
		if !utf16.IsSurrogate(r) {
			return utf8.AppendRune(dst, r), 6
		}
		if low, ok := hexRune(b[6:]); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return utf8.AppendRune(dst, pair), 12
			}
		}
		return utf8.AppendRune(dst, utf8.RuneError), 6
	default:
		return append(dst, c), 2
	}
}

// hexRune reads \u and four digits.
func hexRune(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 32)
	return rune(n), err == nil
}
