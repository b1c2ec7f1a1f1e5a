package syntax

import (
	"bytes"
	"unicode"
)

// isPrefix reports whether a word of at most two bytes before a quote belongs
// to the string. ur is Python 2.
func isPrefix(p []byte) bool {
	switch len(p) {
	case 0:
		return true
	case 1:
		switch p[0] | 0x20 {
		case 'r', 'u', 'b', 'f', 't':
			return true
		}
		return false
	}
	a, b := p[0]|0x20, p[1]|0x20
	if b != 'r' {
		a, b = b, a
	}
	switch a {
	case 'b', 'f', 't':
		return b == 'r'
	case 'u':
		return b == 'r' && p[0]|0x20 == 'u'
	}
	return false
}

// prefix of a string literal, as flags.
type prefix struct{ raw, bytes, format, template, unicode bool }

func readPrefix(p []byte) (x prefix) {
	for _, c := range p {
		switch c | 0x20 {
		case 'r':
			x.raw = true
		case 'b':
			x.bytes = true
		case 'f':
			x.format = true
		case 't':
			x.format, x.template = true, true
		case 'u':
			x.unicode = true
		}
	}
	return x
}

// str reads the string that begins with its prefix at start and its quote at i.
func (l *lexer) str(start, i int) int {
	var p prefix
	if i > start {
		p = readPrefix(l.text[start:i])
		if p.format {
			return l.fstring(start, i, p)
		}
		if p.unicode && p.raw {
			l.note("ur'' is Python 2", start)
		}
	}
	n := quoteLen(l.text, i)
	end, escapes := closeQuote(l.text, i+n, l.text[i], n)
	if end < 0 {
		return l.unterminated(start, i, n)
	}
	body := l.text[i+n : end-n]
	if escapes && !p.raw {
		if at, text := badEscape(body, p.bytes); text != "" {
			l.warn(Syntax, text, i+n+at)
		}
	}
	if p.bytes && !isASCII(body) {
		l.warn(Syntax, "bytes can only hold ASCII characters", start)
	}
	l.emit(tString, start, end)
	return end
}

// quoteLen is 3 for triple quotes at i, else 1.
func quoteLen(s []byte, i int) int {
	if i+2 < len(s) && s[i+1] == s[i] && s[i+2] == s[i] {
		return 3
	}
	return 1
}

// closeQuote finds the offset behind the closing quote, -1: there is none, and
// whether a backslash stands before it.
func closeQuote(s []byte, i int, q byte, n int) (end int, escapes bool) {
	if n == 3 {
		return closeTriple(s, i, q)
	}
	for ; i < len(s); i++ {
		switch s[i] {
		case q:
			return i + 1, escapes
		case '\\':
			escapes = true
			if end := newlineAt(s, i+1); end > i+1 {
				i = end - 1
			} else {
				i++
			}
		case '\n', '\r':
			return -1, escapes
		}
	}
	return -1, escapes
}

// closeTriple jumps from quote to quote: most of the bytes of a file lie in
// its docstrings.
func closeTriple(s []byte, i int, q byte) (end int, escapes bool) {
	start := i
	for {
		j := bytes.IndexByte(s[i:], q)
		if j < 0 {
			return -1, false
		}
		i += j
		switch {
		case isEscaped(s[start:i]):
			i++
		case i+2 < len(s) && s[i+1] == q && s[i+2] == q:
			return i + 3, bytes.IndexByte(s[start:i], '\\') >= 0
		default:
			i++
		}
	}
}

// isEscaped reports whether an odd number of backslashes ends the text.
func isEscaped(s []byte) bool {
	n := 0
	for n < len(s) && s[len(s)-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}

// unterminated gives the rest of the physical line up: it is not known what of
// the file is text.
func (l *lexer) unterminated(start, i, n int) int {
	l.broken = true
	text := "the string is not closed"
	if n == 3 {
		text = "the triple-quoted string is not closed"
	}
	l.fail(Unclosed, text, start, i+1)
	l.finish(l.skipLine(i))
	return l.at
}

// badEscape finds an escape that CPython refuses. The names of \N{...} are not
// looked up.
func badEscape(s []byte, bytesLiteral bool) (int, string) {
	for i := 0; i+1 < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		at := i
		i++
		digits := 0
		switch c := s[i]; {
		case c == 'x':
			digits = 2
		case bytesLiteral:
		case c == 'u':
			digits = 4
		case c == 'U':
			digits = 8
		case c == 'N':
			j := bytes.IndexByte(s[i:], '}')
			if i+1 >= len(s) || s[i+1] != '{' || j < 3 {
				return at, "a malformed \\N escape"
			}
			i += j
		}
		if digits > 0 {
			if !hexRune(s[i+1:], digits) {
				return at, "a malformed \\" + string(s[i]) + " escape"
			}
			i += digits
		}
	}
	return 0, ""
}

// hexRune reports whether n digits follow that give a character.
func hexRune(s []byte, n int) bool {
	if len(s) < n {
		return false
	}
	v := 0
	for _, c := range s[:n] {
		if !isDigitOf(c, 'x') {
			return false
		}
		v = v<<4 | hexValue(c)
	}
	return v <= unicode.MaxRune
}

func hexValue(c byte) int {
	if c <= '9' {
		return int(c - '0')
	}
	return int(c|0x20-'a') + 10
}

func isASCII(s []byte) bool {
	for _, c := range s {
		if c >= 0x80 {
			return false
		}
	}
	return true
}
