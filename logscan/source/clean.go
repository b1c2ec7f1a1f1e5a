package source

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// Clean takes terminal control out of one record: CSI and OSC sequences,
// backspaces, NUL and the other control bytes except tab. A record without any
// is returned as it is; otherwise the text is built in scratch[:0] (pass the
// result's capacity back in to avoid allocations). Invalid UTF-8 is kept.
//
// Colours vanish without a trace, since they stand inside words; whatever moves
// the cursor leaves a blank, since it separates words.
func Clean(raw, scratch []byte) []byte {
	text, _ := clean(raw, scratch)
	return text
}

// clean also returns how many NUL bytes it dropped.
func clean(raw, scratch []byte) ([]byte, int) {
	raw = bytes.TrimPrefix(raw, utf8BOM)
	i := indexControl(raw)
	if i < 0 {
		return raw, 0
	}
	out, nuls := scratch[:0], 0
	for {
		out = append(out, raw[:i]...)
		raw = raw[i:]
		var n int
		out, n = dropControl(out, raw)
		if raw[0] == 0 {
			nuls += n
		}
		raw = raw[n:]
		if i = indexControl(raw); i < 0 {
			return append(out, raw...), nuls
		}
	}
}

var utf8BOM = []byte("\xef\xbb\xbf")

// dropControl looks at the control that raw starts with: it changes out as the
// control asks and says how many bytes it took.
func dropControl(out, raw []byte) ([]byte, int) {
	switch c := raw[0]; c {
	case 0x1b:
		n, moves := escapeLen(raw)
		if moves {
			out = appendGap(out, raw[n:])
		}
		return out, n
	case 0xc2: // an 8-bit control in UTF-8
		return out, 2
	case '\b':
		n := runLen(raw, '\b')
		if n > 1 { // a bar is drawn anew
			return appendGap(out, raw[n:]), n
		}
		return dropRune(out), n
	case '\n', '\r', '\v', '\f':
		return appendGap(out, raw[1:]), 1
	default:
		return out, runLen(raw, c)
	}
}

// appendGap separates what was written from what follows.
func appendGap(out, rest []byte) []byte {
	if len(out) == 0 || len(rest) == 0 || isBlank(out[len(out)-1]) || isBlank(rest[0]) {
		return out
	}
	return append(out, ' ')
}

func dropRune(out []byte) []byte {
	_, n := utf8.DecodeLastRune(out)
	return out[:len(out)-n]
}

func runLen(b []byte, c byte) int {
	n := 0
	for n < len(b) && b[n] == c {
		n++
	}
	return n
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// indexControl finds the first byte that Clean must look at, eight at a time.
// A tab or a letter after 0xC2 makes it stop and look closer.
func indexControl(b []byte) int {
	i := 0
	for i+8 <= len(b) {
		v := binary.LittleEndian.Uint64(b[i:])
		low := (v - 0x20*lowBits) & ^v
		del, c2 := v^0x7f*lowBits, v^0xc2*lowBits
		if (low|(del-lowBits)&^del|(c2-lowBits)&^c2)&highBits != 0 {
			for j := i; j < i+8; j++ {
				if isControl(b, j) {
					return j
				}
			}
		}
		i += 8
	}
	for ; i < len(b); i++ {
		if isControl(b, i) {
			return i
		}
	}
	return -1
}

func isControl(b []byte, i int) bool {
	c := b[i]
	if c >= 0x20 && c < 0x7f || c == '\t' {
		return false
	}
	if c == 0xc2 {
		return i+1 < len(b) && b[i+1] >= 0x80 && b[i+1] < 0xa0
	}
	return c < 0x20 || c == 0x7f
}

// maxString is the longest OSC or DCS string that is taken for one. What is
// longer, or has no end in its record, keeps its text: it could be log text
// behind a torn sequence.
const maxString = 4096

// escapeLen is the length of the escape sequence that b starts with, and
// whether it moves the cursor.
func escapeLen(b []byte) (n int, moves bool) {
	if len(b) < 2 {
		return 1, false
	}
	switch c := b[1]; {
	case c == '[':
		return csiLen(b)
	case c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_':
		return stringLen(b), false
	case c >= 0x20 && c < 0x30:
		n = 1
		for n < len(b) && b[n] >= 0x20 && b[n] < 0x30 {
			n++
		}
		if n < len(b) && b[n] >= 0x30 && b[n] < 0x7f {
			n++
		}
		return n, false
	case c >= 0x30 && c < 0x7f:
		return 2, c == 'D' || c == 'E' || c == 'M'
	}
	return 1, false
}

// csiLen measures ESC [ parameters intermediates final. A torn one ends where
// it was torn.
func csiLen(b []byte) (int, bool) {
	i := 2
	for i < len(b) && b[i] >= 0x30 && b[i] < 0x40 {
		i++
	}
	for i < len(b) && b[i] >= 0x20 && b[i] < 0x30 {
		i++
	}
	if i == len(b) || b[i] < 0x40 || b[i] > 0x7e {
		return i, false
	}
	return i + 1, bytes.IndexByte([]byte("ABCDEFGHJdfST"), b[i]) >= 0
}

// stringLen measures an OSC, DCS, SOS, PM or APC string up to its terminator.
func stringLen(b []byte) int {
	for i := 2; i < len(b) && i < maxString; i++ {
		switch {
		case b[i] == '\a':
			return i + 1
		case b[i] == 0x1b:
			if i+1 < len(b) && b[i+1] == '\\' {
				return i + 2
			}
			return 2
		}
	}
	return 2
}
