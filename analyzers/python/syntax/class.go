package syntax

// What a byte begins outside of strings and comments.
const (
	cBad uint8 = iota
	cBlank
	cWord
	cDigit
	cQuote
	cNewline
	cComment
	cBackslash
	cOpen
	cClose
	cDot
	cSingle // an operator that no byte can follow up
	cOperator

	classMask = 0x3f
	isDigit   = 0x40
	isIdent   = 0x80 // within a name; every byte of a rune beyond ASCII is
)

var class = fillClasses()

func fillClasses() (t [256]uint8) {
	set := func(bytes string, c uint8) {
		for i := range len(bytes) {
			t[bytes[i]] = c
		}
	}
	for c := range 256 {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c >= 0x80:
			t[c] = cWord | isIdent
		case c >= '0' && c <= '9':
			t[c] = cDigit | isDigit | isIdent
		}
	}
	set(" \t\f", cBlank)
	set("\r\n", cNewline)
	set("([{", cOpen)
	set(")]}", cClose)
	set(",;~`", cSingle)
	set("+-*/%@<>=&|^!:", cOperator)
	t['"'], t['\''], t['#'], t['\\'], t['.'] = cQuote, cQuote, cComment, cBackslash, cDot
	return t
}

// asciiName are the bytes of a name, those beyond ASCII aside.
var asciiName = fillASCIINames()

func fillASCIINames() (t [256]bool) {
	for c := range 0x80 {
		t[c] = class[c]&isIdent != 0
	}
	return t
}

// endsBadly are the bytes behind ASCII letters that make something else of
// them: the prefix of a string, a longer name.
var endsBadly = fillEnds()

func fillEnds() (t [256]bool) {
	for c := range t {
		t[c] = c >= 0x80 || c == '"' || c == '\''
	}
	return t
}

// singles are the tokens of one byte.
var singles = [256]tok{
	'(': tLParen, ')': tRParen, '[': tLBracket, ']': tRBracket, '{': tLBrace, '}': tRBrace,
	',': tComma, ':': tColon, '.': tDot, ';': tSemicolon, '=': tAssign, '+': tPlus, '-': tMinus,
	'*': tStar, '/': tSlash, '%': tPercent, '@': tAt, '&': tAmper, '|': tBar, '^': tCaret,
	'~': tTilde, '<': tLess, '>': tGreater, '`': tBackquote,
}

// operator reads the operator at i: its token and length; 0: none begins here.
func operator(s []byte, i int) (tok, int) {
	var second, third byte
	if i+1 < len(s) {
		second = s[i+1]
	}
	if i+2 < len(s) {
		third = s[i+2]
	}
	first := s[i]
	switch {
	case second == '=':
		return withEqual(first)
	case second == first:
		return doubled(first, third)
	case first == '-' && second == '>':
		return tArrow, 2
	case first == '<' && second == '>':
		return tNotEqual, 2
	case first == '!':
		return tError, 0
	}
	return singles[first], 1
}

// withEqual is the operator that = follows up.
func withEqual(first byte) (tok, int) {
	switch first {
	case '=':
		return tEqual, 2
	case '!':
		return tNotEqual, 2
	case '<':
		return tLessEqual, 2
	case '>':
		return tGreaterEqual, 2
	case ':':
		return tWalrus, 2
	}
	return tAugAssign, 2
}

// doubled is an operator whose byte stands twice.
func doubled(first, third byte) (tok, int) {
	var t tok
	switch first {
	case '*':
		t = tPower
	case '/':
		t = tDoubleSlash
	case '<':
		t = tLShift
	case '>':
		t = tRShift
	case '!':
		return tError, 0
	default:
		return singles[first], 1
	}
	if third == '=' {
		return tAugAssign, 3
	}
	return t, 2
}
