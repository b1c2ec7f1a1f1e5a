package metric

import (
	"bytes"
	"math"
)

// tokKind is what a token is.
type tokKind uint8

const (
	tokWord  tokKind = iota // a name, or part of one
	tokNum                  // a number, nan, inf, or a word for "no value"
	tokJunk                 // digits that are no value: clock, date, version, hex, address
	tokPunct                // one byte of punctuation, or a run of glyphs (byte 0)
)

// token is a piece of a line. Tokens point into the line; nothing is copied.
type token struct {
	kind    tokKind
	gap     uint8 // blanks before it: 0, 1, 2 (two and more, or a tab)
	punct   byte
	percent bool
	null    bool // stands for a value that is not there
	whole   bool // digits only, no sign, point or exponent
	start   int32
	end     int32 // of the number or word; a unit is not in it
	unitEnd int32 // behind the unit glued to the number
	digits  int16
	val     float64
}

// maxLine is how much of a line is looked at: no format prints longer ones.
const maxLine = 32 << 10

// charClass of every byte, for the inner loop.
const (
	ccBlank = 1 << iota
	ccAlpha
	ccDigit
)

// classes is a table of byte classes; it is never written after start.
var classes = classTable()

func classTable() (t [256]uint8) {
	t[' '], t['\t'] = ccBlank, ccBlank
	for c := '0'; c <= '9'; c++ {
		t[c] = ccDigit
	}
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = ccAlpha, ccAlpha
	}
	t['_'] = ccAlpha
	return t
}

func isDigit(c byte) bool { return c-'0' <= 9 }
func isAlpha(c byte) bool { return classes[c]&ccAlpha != 0 }
func isAlnum(c byte) bool { return classes[c]&(ccAlpha|ccDigit) != 0 }

// tokenise cuts a line into tokens, appended to dst.
func (l *lexicon) tokenise(dst []token, s []byte) []token {
	if len(s) > maxLine {
		s = s[:maxLine]
	}
	for i := 0; i < len(s); {
		gap := uint8(0)
		for i < len(s) && classes[s[i]]&ccBlank != 0 {
			if gap++; s[i] == '\t' || gap > 2 {
				gap = 2
			}
			i++
		}
		if i == len(s) {
			break
		}
		var t token
		c := s[i]
		switch {
		case isDigit(c), (c == '.' || c == '-' || c == '+') && numberStarts(s, i):
			t = l.number(s, i)
		case isAlpha(c), (c == '%' || c == '~') && i+1 < len(s) && isAlpha(s[i+1]) && !behindAlnum(s, i):
			t = l.wordToken(s, i)
		case c == '/' && i+1 < len(s) && isAlpha(s[i+1]) && !behindAlnum(s, i):
			t = path(s, i)
		case c >= 0x80:
			j := i
			for j < len(s) && s[j] >= 0x80 {
				j++
			}
			t = token{kind: tokPunct, start: int32(i), end: int32(j), unitEnd: int32(j)}
		default:
			t = token{kind: tokPunct, punct: c, start: int32(i), end: int32(i + 1), unitEnd: int32(i + 1)}
		}
		t.gap = gap
		dst = append(dst, t)
		i = int(t.unitEnd)
	}
	return dst
}

func behindAlnum(s []byte, i int) bool { return i > 0 && (isAlnum(s[i-1]) || s[i-1] == ')') }

// numberStarts: a sign or a point that begins a number, not one that joins words.
func numberStarts(s []byte, i int) bool {
	if behindAlnum(s, i) {
		return false
	}
	j := i
	if s[j] != '.' {
		j++
	}
	if j < len(s) && s[j] == '.' {
		j++
	}
	if j >= len(s) {
		return false
	}
	if isDigit(s[j]) {
		return true
	}
	return j == i+1 && s[i] != '.' && specialEnd(s, j) > 0
}

// specialEnd is the end of nan or inf at i, 0 if there is none.
func specialEnd(s []byte, i int) int {
	j := i
	for j < len(s) && isAlnum(s[j]) {
		j++
	}
	if _, ok := special(s[i:j]); ok {
		return j
	}
	return 0
}

// special reads nan and inf in every way that trainers write them.
func special(w []byte) (float64, bool) {
	if n := len(w); n == 5 && (w[3] == '3' && w[4] == '2' || w[3] == '1' && w[4] == '6') {
		w = w[:3] // Julia: NaN32, Inf16
	}
	if n := len(w); n == 5 || n == 6 {
		w = padded(w)
	}
	switch len(w) {
	case 3:
		switch w[0] | 0x20 {
		case 'n':
			return math.NaN(), w[1]|0x20 == 'a' && w[2]|0x20 == 'n'
		case 'i':
			return math.Inf(1), w[1]|0x20 == 'n' && w[2]|0x20 == 'f'
		}
	case 8:
		return math.Inf(1), string(w) == "Infinity" || string(w) == "infinity"
	}
	return 0, false
}

// padded takes the x off with which PaddleOCR fills a value up to six bytes:
// nanxxx, and infxx behind a minus.
func padded(w []byte) []byte {
	for _, c := range w[3:] {
		if c != 'x' {
			return w
		}
	}
	return w[:3]
}

// wordToken reads a name part: letters, digits and the marks that join them.
func (l *lexicon) wordToken(s []byte, i int) token {
	j := i + 1
	for j < len(s) {
		c := s[j]
		if isAlnum(c) {
			j++
			continue
		}
		if n := joint(s, i, j); n > 0 {
			j += n
			continue
		}
		break
	}
	t := token{kind: tokWord, start: int32(i), end: int32(j), unitEnd: int32(j)}
	if j-i <= 8 {
		l.wordValue(&t, s)
	}
	return t
}

// wordValue turns a word that stands for a value into one.
func (l *lexicon) wordValue(t *token, s []byte) {
	w := s[t.start:t.end]
	switch w[0] | 0x20 {
	case 'n', 'i':
	default:
		return
	}
	if next := int(t.end); next < len(s) && (s[next] == ':' || s[next] == '=' || s[next] == '(') {
		return
	}
	if v, ok := special(w); ok {
		t.kind, t.val = tokNum, v
		return
	}
	if (len(w) == 4 && (string(w) == "None" || string(w) == "null")) || (len(w) <= 3 && l.null[lower(string(w))]) {
		t.kind, t.val, t.null = tokNum, math.NaN(), true
	}
}

// joint is how many bytes at j join the word from i with what follows; 0: the word ends.
func joint(s []byte, i, j int) int {
	if j+1 >= len(s) {
		return 0
	}
	c, next := s[j], s[j+1]
	switch c {
	case '/', '.', '+', '&':
		if _, ok := special(s[i:j]); ok && c == '+' {
			return 0 // "nan+nan": a mean and its deviation
		}
		if isAlnum(next) || c == '/' && next == '%' {
			return 1
		}
		if c == '/' && next == '~' {
			return 1
		}
	case '-':
		if isAlpha(next) || isDigit(next) && (isDigit(s[j-1]) || numbered(s, j+1) || graded(s, i, j)) {
			return 1
		}
	case '@':
		return atSign(s, j)
	case '\'':
		if next == 's' && (j+2 == len(s) || !isAlnum(s[j+2])) {
			return 2
		}
	case '(':
		return glued(s, i, j)
	case ':':
		// C++ and python paths, and metric paths of a few loggers: train::loss
		if next == ':' && j+2 < len(s) && isAlpha(s[j+2]) {
			return 2
		}
	}
	return 0
}

// numbered: the digits at k end a name (BLEU-4:) or stand in it (validset-0-auc:), they are no value.
func numbered(s []byte, k int) bool {
	for k < len(s) && isDigit(s[k]) {
		k++
	}
	if k+1 < len(s) && s[k] == '-' {
		k++
		return isAlpha(s[k])
	}
	return k < len(s) && (s[k] == ':' || s[k] == '=' || s[k] == '_' || s[k] == '\'' || s[k] == '"' || isAlpha(s[k]))
}

// graded: the digits behind an abbreviation and a hyphen are a name's when its
// value follows: "BLEU-4 33.42".
func graded(s []byte, i, j int) bool {
	if j-i > 6 {
		return false
	}
	for _, c := range s[i:j] {
		if c < 'A' || c > 'Z' {
			return false
		}
	}
	k := j + 1
	for k < len(s) && isDigit(s[k]) {
		k++
	}
	value := k
	for value < len(s) && s[value] == ' ' {
		value++
	}
	return k-j <= 4 && value > k && value < len(s) && isDigit(s[value])
}

// atSign: Acc@1, mAP@.5:.95, AP@[0.5:0.95]. In mean@1:0.411 the colon stands
// before the value.
func atSign(s []byte, j int) int {
	k := j + 1
	if s[k] == '[' {
		for n := k; n < len(s) && n < k+16; n++ {
			if s[n] == ']' {
				return n + 1 - j
			}
		}
		return 0
	}
	for k < len(s) && (isAlnum(s[k]) || (s[k] == '.' || s[k] == ':' && rangeAt(s, j+1, k)) && k+1 < len(s) && (isDigit(s[k+1]) || s[k+1] == '.')) {
		k++
	}
	if k == j+1 {
		return 0
	}
	return k - j
}

// rangeAt: the colon at k parts two thresholds (.5:.95, 50:95), not the rank of a
// metric and its value (1:0.411).
func rangeAt(s []byte, from, k int) bool {
	if bytes.IndexByte(s[from:k], '.') >= 0 {
		return true
	}
	end := k + 1
	for end < len(s) && isDigit(s[end]) {
		end++
	}
	return end > k+1 && (end == len(s) || s[end] != '.')
}

// glued: a short word in parentheses that stands right behind a name: mAP50(B), acc(%), Epoch(train).
func glued(s []byte, i, j int) int {
	for k := j + 1; k < len(s) && k < j+14; k++ {
		c := s[k]
		if c == ')' {
			if k == j+1 {
				return 0
			}
			return k + 1 - j
		}
		if !isAlpha(c) && c != '%' && c != '/' {
			return 0
		}
	}
	return 0
}

func path(s []byte, i int) token {
	j := i + 1
	for j < len(s) && (isAlnum(s[j]) || s[j] == '/' || s[j] == '.' || s[j] == '-') {
		j++
	}
	return token{kind: tokJunk, start: int32(i), end: int32(j), unitEnd: int32(j)}
}
