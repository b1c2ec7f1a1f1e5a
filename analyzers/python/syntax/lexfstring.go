package syntax

// Limits of CPython's tokenizer.
const (
	maxQuotes = 150 // f-strings within f-strings
	maxSpecs  = 2   // replacement fields within format specs
)

// fquote is the f-string that is being read.
type fquote struct {
	prefix
	quote byte
	size  int // of the quote: 1 or 3
	specs int // format specs around
}

// fstring reads an f-string or t-string: its start, the tokens of its
// replacement fields, its end. As since Python 3.12 the fields may hold any
// expression, quotes and line ends included.
func (l *lexer) fstring(start, i int, p prefix) int {
	if l.quotes == maxQuotes {
		l.breakBrackets(Nesting, "too many nested f-strings", start)
		return l.at
	}
	f := fquote{prefix: p, quote: l.text[i], size: quoteLen(l.text, i)}
	l.emit(tFStart, start, i+f.size)
	l.quotes++
	depth := l.depth
	end := l.literal(i+f.size, &f)
	l.quotes--
	if l.ended {
		return l.at
	}
	if end < 0 {
		l.depth = depth
		return l.unterminated(start, i, f.size)
	}
	l.emit(tFEnd, end-f.size, end)
	return end
}

// literal reads the text between fields: of the string to the offset behind
// its closing quote, of a format spec to its }. -1: it does not end.
func (l *lexer) literal(i int, f *fquote) int {
	s := l.text
	for i < len(s) && !l.ended {
		switch c := s[i]; {
		case c == f.quote && (f.size == 1 || quoteLen(s, i) == 3):
			if f.specs > 0 {
				return -1
			}
			return i + f.size
		case c == '\\':
			i = l.fescape(i, f)
		case c == '{':
			if f.specs == 0 && i+1 < len(s) && s[i+1] == '{' {
				i += 2
				continue
			}
			i = l.replacement(i, f)
		case c == '}':
			if f.specs > 0 {
				return i
			}
			if i+1 < len(s) && s[i+1] == '}' {
				i += 2
				continue
			}
			l.fail(Syntax, "a single '}' in an f-string", i, i+1)
			i++
		case (c == '\n' || c == '\r') && f.size == 1:
			if f.specs > 0 {
				return i // Python 3.13 ends the spec here and goes on to the }
			}
			return -1
		default:
			i++
		}
		if i < 0 {
			return -1
		}
	}
	return -1
}

// fescape passes a backslash and what it escapes, which is never a brace.
func (l *lexer) fescape(i int, f *fquote) int {
	s := l.text
	if i+1 >= len(s) {
		return i + 1
	}
	c := s[i+1]
	if c == '{' || c == '}' {
		return i + 1
	}
	if end := newlineAt(s, i+1); end > i+1 {
		return end
	}
	if f.raw {
		return i + 2
	}
	end := i + 2
	switch c {
	case 'N':
		end = i + 2
		for end < len(s) && s[end] != '}' && s[end] != '\n' && s[end] != f.quote {
			end++
		}
		end = min(end+1, len(s))
	case 'x':
		end += 2
	case 'u':
		end += 4
	case 'U':
		end += 8
	default:
		return end
	}
	if _, text := badEscape(s[i:min(end, len(s))], false); text != "" {
		l.warn(Syntax, text, i)
		return i + 2
	}
	return end
}

// replacement reads one {field} and gives the offset behind it; -1: the field
// does not end.
func (l *lexer) replacement(i int, f *fquote) int {
	if l.depth == maxBrackets || f.specs > maxSpecs {
		l.breakBrackets(Nesting, "f-string: expressions nested too deeply", i)
		return l.at
	}
	outer := l.field
	l.opened[l.depth] = uint32(i)
	l.depth++
	l.field = l.depth
	l.emit(tFOpen, i, i+1)
	i = l.fieldRest(l.scan(i+1), f)
	if l.ended || i < 0 {
		return i
	}
	l.emit(tFClose, i, i+1)
	l.depth--
	l.field = outer
	return i + 1
}

// fieldRest reads what stands behind the expression of a field, to its }.
func (l *lexer) fieldRest(i int, f *fquote) int {
	s := l.text
	if !l.ended && i < len(s) && s[i] == '!' {
		l.emit(tFConv, i, i+1)
		i = l.scan(i + 1)
	}
	if !l.ended && i < len(s) && s[i] == ':' {
		l.emit(tFSpec, i, i+1)
		f.specs++
		i = l.literal(i+1, f)
		f.specs--
		if !l.ended && i >= 0 && s[i] != '}' {
			i = l.scan(i)
		}
	}
	switch {
	case l.ended || i < 0:
		return i
	case i >= len(s):
		return -1
	case s[i] != '}':
		l.fail(Syntax, "f-string: expecting '}'", i, i+1)
		return -1
	}
	return i
}
