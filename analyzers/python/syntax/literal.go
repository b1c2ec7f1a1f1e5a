package syntax

import (
	"bytes"
	"unicode/utf8"
)

// StringValue is the value of a Constant of type str or bytes: its literals
// joined, without prefixes and quotes, escapes resolved. A lone surrogate is
// written in the three bytes that UTF-8 has no use for. false: it is none, or
// holds a character by name (\N{...}), which is not looked up.
func (t *Tree) StringValue(n Node) ([]byte, bool) {
	r := &t.nodes[n]
	if r.kind != Constant || r.op != Str && r.op != Bytes {
		return nil, false
	}
	var out []byte
	for i := int(r.start); i < int(r.end); i = skipBlank(t.text, i) {
		start := i
		for t.text[i] != '"' && t.text[i] != '\'' {
			i++
		}
		p := readPrefix(t.text[start:i])
		q := quoteLen(t.text, i)
		end, escapes := closeQuote(t.text, i+q, t.text[i], q)
		if end < 0 {
			return nil, false
		}
		body := t.text[i+q : end-q]
		if plain := p.raw || !escapes; plain && end-start == int(r.end-r.start) && bytes.IndexByte(body, '\r') < 0 {
			return body, true // nearly always: one literal as it stands
		}
		var ok bool
		if out, ok = unescape(out, body, p); !ok {
			return nil, false
		}
		i = end
	}
	return out, true
}

// unescape appends the value of a literal's text.
func unescape(out, s []byte, p prefix) ([]byte, bool) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\r':
			if i+1 >= len(s) || s[i+1] != '\n' {
				out = append(out, '\n')
			}
		case c != '\\' || p.raw || i+1 >= len(s):
			out = append(out, c)
		default:
			var ok bool
			if out, i, ok = escape(out, s, i+1, p.bytes); !ok {
				return nil, false
			}
		}
	}
	return out, true
}

var simpleEscapes = [256]byte{
	'\\': '\\', '\'': '\'', '"': '"', 'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v',
}

// escape appends what the escape behind a backslash at i-1 stands for; the
// offset of its last byte.
func escape(out, s []byte, i int, isBytes bool) ([]byte, int, bool) {
	c := s[i]
	if e := simpleEscapes[c]; e != 0 {
		return append(out, e), i, true
	}
	if end := newlineAt(s, i); end > i {
		return out, end - 1, true
	}
	if c >= '0' && c <= '7' {
		return octalEscape(out, s, i, isBytes)
	}
	digits := 0
	switch {
	case c == 'x':
		digits = 2
	case isBytes:
	case c == 'u':
		digits = 4
	case c == 'U':
		digits = 8
	case c == 'N':
		return out, i, false
	}
	if digits == 0 {
		return append(out, '\\', c), i, true
	}
	if !hexRune(s[i+1:], digits) {
		return out, i, false
	}
	v := 0
	for _, d := range s[i+1 : i+1+digits] {
		v = v<<4 | hexValue(d)
	}
	return appendValue(out, v, isBytes), i + digits, true
}

func octalEscape(out, s []byte, i int, isBytes bool) ([]byte, int, bool) {
	v, last := 0, i
	for ; last < len(s) && last < i+3 && s[last] >= '0' && s[last] <= '7'; last++ {
		v = v<<3 | int(s[last]-'0')
	}
	return appendValue(out, v, isBytes), last - 1, true
}

func appendValue(out []byte, v int, isBytes bool) []byte {
	switch {
	case isBytes:
		return append(out, byte(v))
	case v >= 0xd800 && v < 0xe000:
		return append(out, 0xe0|byte(v>>12), 0x80|byte(v>>6)&0x3f, 0x80|byte(v)&0x3f)
	}
	return utf8.AppendRune(out, rune(v))
}
