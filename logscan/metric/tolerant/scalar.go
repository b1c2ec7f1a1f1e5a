package tolerant

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// word reads a number or a literal: the longest run of bytes that can be one.
func (r *Reader) word() (Token, error) {
	tok := Token{Offset: r.Offset(), Line: r.line}
	r.text = r.text[:0]
	for {
		c, ok := r.peek()
		if !ok {
			if err := r.readError(); err != nil {
				return Token{}, err
			}
			break
		}
		if !letter(c) && (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' {
			break
		}
		if len(r.text) >= r.limits.Token {
			return Token{}, &LimitError{Offset: tok.Offset, Line: tok.Line, Limit: "token bytes", Max: r.limits.Token}
		}
		r.text = append(r.text, c)
		r.pos++
	}
	tok.End, tok.Text = r.Offset(), r.text
	if r.classify(&tok) {
		return tok, nil
	}
	if _, more := r.peek(); !more && prefixOfValue(string(r.text)) {
		return Token{}, r.cut("a number or literal")
	}
	return Token{}, &SyntaxError{Offset: tok.Offset, Line: tok.Line, What: "not a value: " + quoteShort(r.text)}
}

func (r *Reader) classify(tok *Token) bool {
	switch s := string(r.text); {
	case s == "true", s == "True" && r.limits.Python:
		tok.Kind = True
	case s == "false", s == "False" && r.limits.Python:
		tok.Kind = False
	case s == "null", s == "None" && r.limits.Python:
		tok.Kind = Null
	case number(r.text):
		tok.Kind = Number
	case bare(s):
		tok.Kind, tok.Bare = Number, true
	default:
		return false
	}
	return true
}

// bare reports whether s is a number that JSON has no word for.
func bare(s string) bool {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	return strings.EqualFold(s, "nan") || strings.EqualFold(s, "inf") || strings.EqualFold(s, "infinity")
}

// prefixOfValue tells a cut literal ("tru", "-", "1e") from a wrong one.
func prefixOfValue(s string) bool {
	for _, whole := range []string{"true", "false", "null", "NaN", "Infinity", "-Infinity", "True", "False", "None"} {
		if strings.HasPrefix(whole, s) {
			return true
		}
	}
	return number([]byte(s + "0"))
}

// number checks the grammar of JSON numbers.
func number(b []byte) bool {
	i := 0
	digits := func() bool {
		from := i
		for i < len(b) && b[i] >= '0' && b[i] <= '9' {
			i++
		}
		return i > from
	}
	if i < len(b) && b[i] == '-' {
		i++
	}
	from := i
	if !digits() || b[from] == '0' && i > from+1 {
		return false
	}
	if i < len(b) && b[i] == '.' {
		if i++; !digits() {
			return false
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		if !digits() {
			return false
		}
	}
	return i == len(b)
}

// str reads a string: into r.text, into the sink, or nowhere.
func (r *Reader) str() (Token, error) {
	tok := Token{Kind: String, Offset: r.Offset(), Line: r.line}
	quote := r.buf[r.pos]
	r.pos++
	r.text = r.text[:0]
	for {
		c, ok := r.peek()
		switch {
		case !ok:
			return Token{}, r.cut("string")
		case c == quote:
			r.pos++
			tok.End = r.Offset()
			return r.finish(tok)
		case c == '\\':
			if err := r.escape(); err != nil {
				return Token{}, err
			}
		case c < ' ':
			return Token{}, r.syntax("a string holds the control byte %q", c)
		default:
			r.plain(quote)
		}
		if err := r.spill(&tok); err != nil {
			return Token{}, err
		}
	}
}

// plain takes the run of bytes up to the next one that means something, or to
// the end of what is buffered.
func (r *Reader) plain(quote byte) {
	from := r.pos
	for r.pos < r.end {
		if c := r.buf[r.pos]; c == quote || c == '\\' || c < ' ' {
			break
		}
		r.pos++
	}
	if !r.discard {
		r.text = append(r.text, r.buf[from:r.pos]...)
	}
}

// spill hands the gathered text to the sink, or holds it against the limit.
func (r *Reader) spill(tok *Token) error {
	switch {
	case r.discard:
		r.text = r.text[:0]
	case r.sink != nil && len(r.text) >= bufferSize/2:
		return r.flush(utf8.UTFMax)
	case r.sink != nil || len(r.text) <= r.limits.Token:
	case r.limits.CutStrings && !r.noCut:
		r.text, tok.Cut = r.text[:r.limits.Token], true
	default:
		return &LimitError{Offset: tok.Offset, Line: tok.Line, Limit: "token bytes", Max: r.limits.Token}
	}
	return nil
}

// flush writes all but the last keep bytes, so that no rune is torn.
func (r *Reader) flush(keep int) error {
	n := len(r.text) - keep
	for n > 0 && keep > 0 && !utf8.RuneStart(r.text[n]) {
		n--
	}
	if n <= 0 {
		return nil
	}
	if _, err := r.sink.Write([]byte(strings.ToValidUTF8(string(r.text[:n]), "\uFFFD"))); err != nil {
		return err
	}
	r.text = append(r.text[:0], r.text[n:]...)
	return nil
}

func (r *Reader) finish(tok Token) (Token, error) {
	if r.sink != nil {
		err := r.flush(0)
		return tok, err
	}
	if !utf8.Valid(r.text) {
		r.text = replaceInvalid(r.text)
	}
	tok.Text = r.text
	return tok, nil
}

// replaceInvalid puts one replacement character for each byte that is no
// UTF-8, as encoding/json does.
func replaceInvalid(b []byte) []byte {
	out := make([]byte, 0, len(b)+16)
	for len(b) > 0 {
		c, n := utf8.DecodeRune(b)
		out = utf8.AppendRune(out, c)
		b = b[n:]
	}
	return out
}

func (r *Reader) escape() error {
	if r.end-r.pos < 2 && !r.fill(2) {
		r.pos = r.end
		return r.cut("string")
	}
	c := r.buf[r.pos+1]
	if c == 'u' {
		return r.unicode()
	}
	plain, ok := unescape(c, r.limits.Python)
	if !ok {
		return r.syntax("unknown escape \\%c", c)
	}
	r.text = append(r.text, plain)
	r.pos += 2
	return nil
}

func unescape(c byte, python bool) (byte, bool) {
	switch c {
	case '"', '\\', '/':
		return c, true
	case 'b':
		return '\b', true
	case 'f':
		return '\f', true
	case 'n':
		return '\n', true
	case 'r':
		return '\r', true
	case 't':
		return '\t', true
	case '\'':
		return c, python
	}
	return 0, false
}

func (r *Reader) unicode() error {
	c, err := r.hex()
	if err != nil {
		return err
	}
	r.pos += 6
	if utf16.IsSurrogate(c) {
		pair := utf8.RuneError
		if (r.end-r.pos >= 2 || r.fill(2)) && r.buf[r.pos] == '\\' && r.buf[r.pos+1] == 'u' {
			low, err := r.hex()
			if err != nil {
				return err
			}
			if pair = utf16.DecodeRune(c, low); pair != utf8.RuneError {
				r.pos += 6
			}
		}
		c = pair
	}
	r.text = utf8.AppendRune(r.text, c)
	return nil
}

// hex reads the escape \uXXXX that begins here.
func (r *Reader) hex() (rune, error) {
	if r.end-r.pos < 6 && !r.fill(6) {
		r.pos = r.end
		return 0, r.cut("string")
	}
	var c rune
	for _, d := range r.buf[r.pos+2 : r.pos+6] {
		switch {
		case d >= '0' && d <= '9':
			d -= '0'
		case d >= 'a' && d <= 'f':
			d -= 'a' - 10
		case d >= 'A' && d <= 'F':
			d -= 'A' - 10
		default:
			return 0, r.syntax("a \\u escape needs four hexadecimal digits")
		}
		c = c<<4 | rune(d)
	}
	return c, nil
}

func quoteShort(b []byte) string {
	if len(b) > 40 {
		return strings.ToValidUTF8(string(b[:40]), "?") + "…"
	}
	return string(b)
}
