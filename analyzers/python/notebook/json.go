package notebook

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// scanner walks over JSON without building it. Of what it passes it sees only
// as much as it needs to find the end: a bare NaN or a control character in an
// output does no harm.
type scanner struct {
	src   []byte
	at    int
	depth int
	limit int // of the depth
	err   error
}

func (s *scanner) fail(text string) {
	if s.err == nil {
		s.err = &FormatError{Offset: s.at, Text: text}
	}
	s.at = len(s.src)
}

// peek passes white space and gives the byte behind it; 0: the end.
func (s *scanner) peek() byte {
	for s.at < len(s.src) {
		switch c := s.src[s.at]; c {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return c
		}
	}
	return 0
}

func (s *scanner) take(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.at++
	return true
}

// enter passes an opening bracket.
func (s *scanner) enter(open byte) bool {
	if !s.take(open) {
		return false
	}
	if s.depth++; s.depth > s.limit {
		s.fail("nested too deeply")
		return false
	}
	return true
}

// more reports whether another element follows, and passes the comma before it
// or the closing bracket.
func (s *scanner) more(first *bool, closing byte) bool {
	switch c := s.peek(); {
	case c == closing:
		s.at++
		s.depth--
		return false
	case *first:
		*first = false
	case c != ',':
		s.fail("expected ',' or '" + string(closing) + "'")
	default:
		s.at++
	}
	return s.err == nil
}

// object calls member for each member, which must pass its value. What is no
// object is passed.
func (s *scanner) object(member func(key string)) {
	if s.peek() != '{' {
		s.skip()
		return
	}
	if !s.enter('{') {
		return
	}
	for first := true; s.more(&first, '}'); {
		key, _ := s.str()
		if !s.take(':') {
			s.fail("expected ':'")
			return
		}
		member(key)
	}
}

// array calls element for each element, which must pass it. What is no array
// is passed.
func (s *scanner) array(element func()) {
	if s.peek() != '[' {
		s.skip()
		return
	}
	if !s.enter('[') {
		return
	}
	for first := true; s.more(&first, ']'); {
		element()
	}
}

// skip passes any value. Brackets are counted, not matched: a bad value in an
// output is none of our business.
func (s *scanner) skip() {
	depth := 0
	for {
		switch s.peek() {
		case '"':
			s.raw()
		case '{', '[':
			depth++
			s.at++
		case '}', ']':
			depth--
			s.at++
		case ',', ':':
			s.at++
		case 0:
			s.fail("the file ends within a value")
		default:
			s.scalar()
		}
		if s.err != nil || depth <= 0 {
			return
		}
		if depth+s.depth > s.limit {
			s.fail("nested too deeply")
		}
	}
}

// scalar passes a number, true, NaN.
func (s *scanner) scalar() {
	for s.at < len(s.src) {
		switch s.src[s.at] {
		case ',', '}', ']', ':', ' ', '\t', '\n', '\r', '"':
			return
		}
		s.at++
	}
}

// raw passes a string and gives what stands between its quotes.
func (s *scanner) raw() []byte {
	if !s.take('"') {
		s.fail("expected a string")
		return nil
	}
	start := s.at
	for {
		i := bytes.IndexByte(s.src[s.at:], '"')
		if i < 0 {
			s.fail("a string is not closed")
			return nil
		}
		end := s.at + i
		s.at = end + 1
		slashes := 0
		for end-1-slashes >= start && s.src[end-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return s.src[start:end]
		}
	}
}

// str passes a string and gives its value; false: the value is another one,
// and passed.
func (s *scanner) str() (string, bool) {
	if s.peek() != '"' {
		s.skip()
		return "", false
	}
	raw := s.raw()
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw), true
	}
	return string(unquote(nil, raw)), true
}

// number passes a number and gives it; 0: it is none.
func (s *scanner) number() int {
	s.peek()
	start := s.at
	s.skip()
	n, err := strconv.Atoi(string(s.src[start:s.at]))
	if err != nil {
		return 0
	}
	return n
}

var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unquote appends the value of a string.
func unquote(out, raw []byte) []byte {
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 >= len(raw) {
			out = append(out, raw[i])
			continue
		}
		i++
		if raw[i] != 'u' {
			if e := escapes[raw[i]]; e != 0 {
				out = append(out, e)
			}
			continue
		}
		r := hex4(raw[i+1:])
		i += 4
		if utf16.IsSurrogate(r) && i+2 < len(raw) && raw[i+1] == '\\' && raw[i+2] == 'u' {
			if both := utf16.DecodeRune(r, hex4(raw[i+3:])); both != utf8.RuneError {
				r = both
				i += 6
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

func hex4(s []byte) rune {
	if len(s) < 4 {
		return utf8.RuneError
	}
	n, err := strconv.ParseUint(string(s[:4]), 16, 32)
	if err != nil {
		return utf8.RuneError
	}
	return rune(n)
}
