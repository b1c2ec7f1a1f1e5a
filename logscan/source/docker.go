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

// dockerReader turns Docker's json-file lines into lines of the container
// runtime interface ("stamp stderr F text"), one for one, so that line numbers
// stay those of the file and one reader of prefixes serves both. A line that
// is not of this form passes as it is.
type dockerReader struct {
	src  *bufio.Reader
	line []byte
	out  []byte
	buf  []byte
	err  error
}

// maxDockerLine: Docker cuts text at 16 KiB, which escapes make at most six
// times as long.
const maxDockerLine = 256 << 10

func newDockerReader(src io.Reader) *dockerReader {
	return &dockerReader{src: bufio.NewReaderSize(src, maxDockerLine)}
}

func (d *dockerReader) Read(p []byte) (int, error) {
	for len(d.out) == 0 {
		if d.err != nil {
			return 0, d.err
		}
		d.next()
	}
	n := copy(p, d.out)
	d.out = d.out[n:]
	return n, nil
}

func (d *dockerReader) next() {
	line, err := d.src.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		err = nil
	}
	d.err = err
	entry, ok := parseDocker(line, d.line[:0])
	d.line = entry.text
	if !ok {
		d.buf = append(d.buf[:0], line...)
		d.out = d.buf
		return
	}
	b := append(d.buf[:0], entry.time...)
	b = append(b, " std"...)
	b = append(b, entry.stream...)
	text, whole := bytes.CutSuffix(entry.text, []byte{'\n'})
	if whole {
		b = append(b, " F "...)
	} else {
		b = append(b, " P "...)
	}
	at := len(b)
	b = append(b, text...)
	for i := at; i < len(b); i++ {
		if b[i] == '\n' { // would make two lines of one
			b[i] = '\r'
		}
	}
	d.buf = append(b, '\n')
	d.out = d.buf
}

// dockerEntry is one line of a json-file log.
type dockerEntry struct {
	text, time []byte
	stream     string
}

// isDockerLine says whether b is a whole json-file line.
func isDockerLine(b []byte) bool {
	_, ok := parseDocker(b, nil)
	return ok
}

// parseDocker reads {"log":"...","stream":"stdout","time":"..."} with its
// fields in any order. text is built on scratch.
func parseDocker(b, scratch []byte) (dockerEntry, bool) {
	e := dockerEntry{text: scratch}
	b = bytes.TrimSpace(b)
	if len(b) < 2 || b[0] != '{' || b[len(b)-1] != '}' {
		return e, false
	}
	b = b[1:]
	seen := 0
	for {
		b = bytes.TrimLeft(b, " ,")
		if len(b) == 0 || b[0] != '"' {
			return e, seen == 7 && isStamp(e.time)
		}
		key, rest, ok := jsonString(b, nil)
		rest = bytes.TrimLeft(rest, " ")
		if !ok || len(rest) == 0 || rest[0] != ':' {
			return e, false
		}
		rest = bytes.TrimLeft(rest[1:], " ")
		if len(rest) == 0 {
			return e, false
		}
		if rest[0] != '"' { // attributes: an object, a number
			if b = skipValue(rest); b == nil {
				return e, false
			}
			continue
		}
		switch string(key) {
		case "log":
			e.text, b, ok = jsonString(rest, scratch)
			seen |= 1
		case "stream":
			var v []byte
			v, b, ok = jsonString(rest, nil)
			switch string(v) {
			case "stdout":
				e.stream = "out"
			case "stderr":
				e.stream = "err"
			default:
				return e, false
			}
			seen |= 2
		case "time":
			var v []byte
			v, b, ok = jsonString(rest, nil)
			e.time = v
			seen |= 4
		default:
			_, b, ok = jsonString(rest, nil)
		}
		if !ok {
			return e, false
		}
	}
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

// hexRune reads \uXXXX.
func hexRune(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 32)
	return rune(n), err == nil
}
