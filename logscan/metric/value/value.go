// Package value holds what the file readers hand over: a name, a number and
// the number exactly as it was printed. It knows no metric and no format, so
// that readers depend on nothing but it.
package value

import (
	"math"
	"strconv"
	"strings"
)

// Value is one named number.
type Value struct {
	Name   string  // as the file writes it; a nested name is a path joined by "/"
	Text   string  // exactly as printed, quotes off
	Number float64 // NaN and infinities as such
	Quoted bool    // the file wrote it as a string
	Offset int64   // of the value in its file
}

// Parse reads a number in any of the spellings that metric files use: decimal,
// nan, inf and infinity in any case and with a sign, a trailing per cent sign
// (84.3% is 84.3, as printed). A number too large for float64 is an infinity,
// as it is for the program that would read the file back.
func Parse(text string) (float64, bool) {
	s := strings.TrimSpace(text)
	s = strings.TrimSuffix(s, "%")
	if s == "" || len(s) > 400 {
		return 0, false
	}
	if f, ok := nonFinite(s); ok {
		return f, true
	}
	if !decimal(s) {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}

func nonFinite(s string) (float64, bool) {
	sign := 1
	switch s[0] {
	case '-':
		sign, s = -1, s[1:]
	case '+':
		s = s[1:]
	}
	switch {
	case strings.EqualFold(s, "nan"):
		return math.NaN(), true
	case strings.EqualFold(s, "inf"), strings.EqualFold(s, "infinity"):
		return math.Inf(sign), true
	}
	return 0, false
}

// decimal keeps strconv from reading what no metric file means as a number:
// hexadecimal floats and digit separators.
func decimal(s string) bool {
	digits := false
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits = true
		case c == '.' || c == '-' || c == '+':
		case (c == 'e' || c == 'E') && digits:
		default:
			return false
		}
	}
	return digits
}

// Digits counts the significant digits of a printed number: 0.4127 has 4,
// 84.310 has 5, nan has none.
func Digits(text string) int {
	n, started := 0, false
	for i := range len(text) {
		switch c := text[i]; {
		case c == 'e' || c == 'E':
			return n
		case c >= '1' && c <= '9', c == '0' && started:
			started = true
			n++
		}
	}
	if n == 0 && strings.ContainsRune(text, '0') {
		return max(1, len(text)-1-strings.IndexByte(text, '.'))
	}
	return n
}
