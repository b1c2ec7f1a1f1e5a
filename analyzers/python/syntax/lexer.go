package syntax

import "bytes"

// maxBrackets is CPython's own limit of nested brackets.
const maxBrackets = 200

// maxNotes is enough for every error that a File holds.
const maxNotes = 10 * MaxErrors

// lexer reads one logical line at a time: the tokens up to the newline that no
// bracket holds. Lines are the units of recovery, so tokens of what comes later
// need not be undone, and a short token slice stays in the cache.
type lexer struct {
	text  []byte
	hasCR bool
	at    int // where the next logical line is sought

	maxTokens int
	toks      []token // of the line; the last is tNewline or tEOF
	first     int     // offset of its first token
	col       int     // its indentation, tabs to 8
	alt       int     // its indentation, tabs to 1

	opened [maxBrackets]uint32 // offsets of the open brackets
	depth  int
	field  int // depth within the innermost replacement field; -1: in none
	quotes int // f-strings around

	broken    bool  // brackets or quotes do not close: the extent is a guess
	ended     bool  // the line's tokens are complete
	fault     fault // the first thing that could not be read in this line
	notes     []fault
	moreNotes int
}

// fault is what is wrong at an offset.
type fault struct {
	code   Code
	text   string
	offset uint32
}

func (l *lexer) start(text []byte, maxTokens int) {
	l.maxTokens = maxTokens
	l.text = text
	l.hasCR = bytes.IndexByte(text, '\r') >= 0
	l.at = bomLen(text)
	l.notes, l.moreNotes = l.notes[:0], 0
}

func (l *lexer) emit(kind tok, start, end int) {
	l.toks = append(l.toks, token{uint32(start), uint32(end), kind})
}

// fail notes the first fault of the line and leaves an error token.
func (l *lexer) fail(code Code, text string, start, end int) {
	if l.fault.code == 0 {
		l.fault = fault{code, text, uint32(start)}
	}
	l.emit(tError, start, end)
}

// note is a fault that costs nothing: Python 2.
func (l *lexer) note(text string, at int) { l.warn(Python2, text, at) }

// warn is a fault that costs nothing: where a token ends is known, whatever is
// wrong within it.
func (l *lexer) warn(code Code, text string, at int) {
	if len(l.notes) == maxNotes {
		l.moreNotes++
		return
	}
	l.notes = append(l.notes, fault{code, text, uint32(at)})
}

// line reads the next logical line. Blank lines and lines of comments alone
// are passed.
func (l *lexer) line() {
	l.toks = l.toks[:0]
	l.depth, l.field, l.quotes = 0, -1, 0
	l.broken, l.ended, l.fault = false, false, fault{}
	i, ok := l.indentation(l.at)
	l.first = i
	if !ok {
		l.col, l.alt = 0, 0
		l.emit(tEOF, i, i)
		l.at = i
		return
	}
	i = l.scan(i)
	if !l.ended {
		l.finish(i)
	}
}

// finish ends the tokens; the next line is sought at i.
func (l *lexer) finish(i int) {
	l.ended = true
	if l.depth > 0 && !l.broken {
		l.broken = true
		open := l.opened[l.depth-1]
		l.fail(Unclosed, "'"+string(l.text[open])+"' was never closed", int(open), int(open)+1)
	}
	l.emit(tNewline, i, i)
	l.at = i
}

// indentation passes empty lines and measures the indentation of the next one
// that is not; false: there is none.
func (l *lexer) indentation(i int) (int, bool) {
	s := l.text
	for {
		col, cont := i, 0
		i = skipSpaces(s, i)
		col = i - col
		alt := col
	measure:
		for ; i < len(s); i++ {
			switch s[i] {
			case ' ':
				col++
				alt++
			case '\t':
				col = (col/8 + 1) * 8
				alt++
			case '\f':
				col, alt = 0, 0
			case '\\':
				end := newlineAt(s, i+1)
				if end == i+1 || end >= len(s) {
					break measure
				}
				if cont == 0 {
					cont = col
				}
				i = end - 1
			default:
				break measure
			}
		}
		if i >= len(s) {
			return i, false
		}
		switch s[i] {
		case '\n':
			i++
			continue
		case '#', '\r':
			i = l.skipLine(i)
			continue
		}
		if cont != 0 {
			col, alt = cont, cont
		}
		l.col, l.alt = col, alt
		return i, true
	}
}

// newlineAt is the offset behind the line end that begins at i, i where none
// does.
func newlineAt(s []byte, i int) int {
	if i < len(s) && s[i] == '\r' {
		i++
		if i < len(s) && s[i] == '\n' {
			i++
		}
		return i
	}
	if i < len(s) && s[i] == '\n' {
		i++
	}
	return i
}

// lineEnd is the offset of the next line end, or the length of the text.
func (l *lexer) lineEnd(i int) int {
	end := len(l.text)
	if j := bytes.IndexByte(l.text[i:], '\n'); j >= 0 {
		end = i + j
	}
	if l.hasCR {
		if j := bytes.IndexByte(l.text[i:end], '\r'); j >= 0 {
			end = i + j
		}
	}
	return end
}

func (l *lexer) skipLine(i int) int { return newlineAt(l.text, l.lineEnd(i)) }

// scan reads tokens from i on: to the end of the logical line, or within a
// replacement field to the byte that ends its expression. It gives the offset
// of what it did not read.
func (l *lexer) scan(i int) int {
	s := l.text
	for i < len(s) && !l.ended {
		if len(l.toks) >= l.maxTokens {
			l.breakBrackets(TooLarge, "more tokens in a statement than the limit allows", i)
			return l.at
		}
		if i = l.common(i); i >= len(s) {
			break
		}
		c := s[i]
		switch class[c] & classMask {
		case cWord:
			i = l.word(i)
		case cDigit:
			i = l.number(i)
		case cQuote:
			i = l.str(i, i)
		case cBlank:
			i++
		case cNewline:
			end := newlineAt(s, i)
			if l.depth == 0 {
				l.ended = true
				l.emit(tNewline, i, end)
				l.at = end
			}
			i = end
		case cComment:
			i = l.lineEnd(i)
		case cBackslash:
			i = l.continuation(i)
		case cOpen:
			i = l.open(i)
		case cClose:
			if l.depth == l.field && c == '}' {
				return i
			}
			i = l.close(i)
		case cDot:
			i = l.dot(i)
		case cSingle:
			if c == '`' {
				l.note("backquotes are Python 2: repr()", i)
			}
			l.emit(singles[c], i, i+1)
			i++
		case cOperator:
			if l.depth == l.field && (c == ':' || c == '!' && (i+1 >= len(s) || s[i+1] != '=')) {
				return i
			}
			t, n := operator(s, i)
			if n == 0 {
				i = l.bad(i)
				continue
			}
			if c == '<' && s[i+n-1] == '>' {
				l.note("<> is Python 2: !=", i)
			}
			l.emit(t, i, i+n)
			i += n
		default:
			i = l.bad(i)
		}
	}
	return i
}

// closes reports whether a bracket is the one that an open one waits for: )
// lies one behind ( in ASCII, the others two.
func closes(open, c byte) bool { return c == open+1 || c == open+2 }

func (l *lexer) bad(i int) int {
	l.fail(Syntax, "a character that no token begins with", i, i+1)
	return i + 1
}

// word reads a name, a keyword or the prefix of a string.
func (l *lexer) word(i int) int {
	s, start := l.text, i
	var all byte
	for i < len(s) && class[s[i]]&isIdent != 0 {
		all |= s[i]
		i++
	}
	if i-start <= 2 && i < len(s) && (s[i] == '"' || s[i] == '\'') && isPrefix(s[start:i]) {
		return l.str(start, i)
	}
	kind := keyword(s[start:i])
	if kind.opensStatement() && l.depth > 0 && l.firstInLine(start) {
		return l.breakOff(start)
	}
	if all >= 0x80 {
		if at := badRune(s[start:i]); at >= 0 {
			l.fail(Syntax, "a character that no name can hold", start+at, i)
			return i
		}
	}
	l.emit(kind, start, i)
	return i
}

// firstInLine reports whether only blanks stand before i in its line.
func (l *lexer) firstInLine(i int) bool {
	for i > 0 && class[l.text[i-1]] == cBlank {
		i--
	}
	return i > 0 && class[l.text[i-1]] == cNewline
}

// breakOff ends a line whose bracket is still open at a keyword that no bracket
// can hold.
func (l *lexer) breakOff(i int) int {
	for i > 0 && class[l.text[i-1]] == cBlank {
		i--
	}
	l.finish(i)
	return i
}

func (l *lexer) continuation(i int) int {
	end := newlineAt(l.text, i+1)
	switch {
	case end == i+1 && end < len(l.text):
		l.fail(Syntax, "a character behind a line continuation", i, end)
	case end >= len(l.text):
		l.fail(Syntax, "the file ends in a line continuation", i, end)
	}
	return end
}

func (l *lexer) dot(i int) int {
	s := l.text
	if i+1 < len(s) && class[s[i+1]]&isDigit != 0 {
		return l.number(i)
	}
	if i+2 < len(s) && s[i+1] == '.' && s[i+2] == '.' {
		l.emit(tEllipsis, i, i+3)
		return i + 3
	}
	l.emit(tDot, i, i+1)
	return i + 1
}

func (l *lexer) open(i int) int {
	if l.depth == maxBrackets {
		l.breakBrackets(Nesting, "too many nested brackets", i)
		return l.at
	}
	l.opened[l.depth] = uint32(i)
	l.depth++
	l.emit(singles[l.text[i]], i, i+1)
	return i + 1
}

func (l *lexer) close(i int) int {
	c := l.text[i]
	if l.depth > 0 {
		open := l.text[l.opened[l.depth-1]]
		if !closes(open, c) {
			l.breakBrackets(Unclosed, "'"+string(c)+"' does not close '"+string(open)+"'", i)
			return l.at
		}
		l.depth--
	}
	l.emit(singles[c], i, i+1)
	return i + 1
}

// breakBrackets gives the rest of the physical line up.
func (l *lexer) breakBrackets(code Code, text string, i int) {
	l.broken = true
	l.fail(code, text, i, i+1)
	l.finish(l.skipLine(i))
}
