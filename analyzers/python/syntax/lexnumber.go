package syntax

// number reads a number at i. What follows one at once must be a keyword that
// may stand there (1if x), as in CPython.
func (l *lexer) number(i int) int {
	s, start := l.text, i
	var ok bool
	if s[i] == '0' && i+1 < len(s) && isRadix(s[i+1]|0x20) {
		i, ok = digits(s, i+2, s[i+1]|0x20, true)
	} else {
		i, ok = l.decimal(i)
	}
	if i < len(s) && class[s[i]]&isIdent != 0 {
		switch {
		case (s[i] == 'l' || s[i] == 'L') && ok:
			l.note("a long number is Python 2", i)
			i++
		case ok && mayFollow(s[i:]):
		default:
			ok = false
		}
	}
	if !ok {
		for i < len(s) && class[s[i]]&isIdent != 0 {
			i++
		}
		l.warn(Syntax, "no valid number", start)
	}
	l.emit(tNumber, start, i)
	return i
}

func isRadix(c byte) bool { return c == 'x' || c == 'o' || c == 'b' }

// digits reads digits of a radix with single underscores between them. The
// radices of letters allow one before the first digit too.
func digits(s []byte, i int, radix byte, underscore bool) (int, bool) {
	last := byte(0) // nothing yet
	for ; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '_':
			if last == '_' || last == 0 && !underscore {
				return i, false
			}
		case !isDigitOf(c, radix):
			return i, last != 0 && last != '_' && class[c]&isDigit == 0
		}
		last = c
	}
	return i, last != 0 && last != '_'
}

func isDigitOf(c, radix byte) bool {
	switch radix {
	case 'x':
		return class[c]&isDigit != 0 || c|0x20 >= 'a' && c|0x20 <= 'f'
	case 'o':
		return c >= '0' && c <= '7'
	case 'b':
		return c == '0' || c == '1'
	}
	return class[c]&isDigit != 0
}

// decimal reads an integer, a float or an imaginary number.
func (l *lexer) decimal(i int) (int, bool) {
	s, start := l.text, i
	ok, whole := true, true
	if s[i] != '.' {
		if i, ok = digits(s, i, 'd', false); !ok {
			return i, false
		}
	}
	end := i
	if i < len(s) && s[i] == '.' {
		whole = false
		i++
		if i < len(s) && (class[s[i]]&isDigit != 0) {
			if i, ok = digits(s, i, 'd', false); !ok {
				return i, false
			}
		}
	}
	if j, is, ok := exponent(s, i); is {
		whole = false
		if i = j; !ok {
			return i, false
		}
	}
	if i < len(s) && s[i]|0x20 == 'j' {
		return i + 1, true
	}
	if whole && end-start > 1 && s[start] == '0' {
		return i, l.leadingZero(start, end)
	}
	if whole && end-start > maxDigits && countDigits(s[start:end]) > maxDigits {
		return i, false
	}
	return i, true
}

// maxDigits of a decimal integer, as CPython has it since 3.11.
const maxDigits = 4300

func countDigits(s []byte) (n int) {
	for _, c := range s {
		if c != '_' {
			n++
		}
	}
	return n
}

// exponent reads the exponent of a float, where there is one. A letter e that
// begins a keyword (1else) is none.
func exponent(s []byte, i int) (end int, is, ok bool) {
	if i >= len(s) || s[i]|0x20 != 'e' {
		return i, false, true
	}
	j := i + 1
	signed := j < len(s) && (s[j] == '+' || s[j] == '-')
	if signed {
		j++
	}
	if j < len(s) && class[s[j]]&isDigit != 0 {
		j, ok = digits(s, j, 'd', false)
		return j, true, ok
	}
	return i, signed, !signed
}

// leadingZero judges an integer that begins with 0: only zeros, or Python 2's
// octal numbers.
func (l *lexer) leadingZero(start, end int) bool {
	octal := false
	for _, c := range l.text[start:end] {
		if c == '8' || c == '9' {
			return false
		}
		octal = octal || c != '0' && c != '_'
	}
	if octal {
		l.note("an octal number without 0o is Python 2", start)
	}
	return true
}

// mayFollow reports whether what stands behind a number is the beginning of a
// keyword that CPython allows there without a blank.
func mayFollow(s []byte) bool {
	second := byte(0)
	if len(s) > 1 {
		second = s[1]
	}
	switch s[0] {
	case 'a':
		return hasPrefix(s, "and")
	case 'e':
		return hasPrefix(s, "else")
	case 'f':
		return hasPrefix(s, "for")
	case 'i':
		return second == 'n' || second == 'f' || second == 's'
	case 'o':
		return second == 'r'
	case 'n':
		return hasPrefix(s, "not")
	}
	return false
}

func hasPrefix(s []byte, p string) bool { return len(s) >= len(p) && string(s[:len(p)]) == p }
