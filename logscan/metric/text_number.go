package metric

import (
	"math"
	"strconv"
	"strings"
)

// number reads a number, and tells it from digits that are none.
func (l *lexicon) number(s []byte, i int) token {
	t := token{kind: tokNum, start: int32(i), whole: true}
	j := i
	if s[j] == '-' || s[j] == '+' {
		t.whole = false
		j++
	}
	if !isDigit(s[j]) && s[j] != '.' {
		if e := specialEnd(s, j); e > 0 {
			t.val, _ = special(s[j:e])
			if s[i] == '-' {
				t.val = -t.val
			}
			t.end, t.unitEnd = int32(e), int32(e)
			return t
		}
	}
	mant, exp10, digits, k := mantissa(s, j, &t)
	j = k
	if j < len(s) && (s[j]|0x20 == 'e' || s[j] == 'f' && !t.whole) { // 1e-3; Julia's 2.3f0
		if e, end := exponent(s, j); end > 0 {
			exp10 += e
			j = end
			t.whole = false
		}
	}
	t.end, t.digits = int32(j), int16(min(digits, 99))
	if digits > 0 && digits <= 18 && exp10 >= -22 && exp10 <= 22 {
		// beyond 15 digits this is near the value; a field reads its text again, exactly

		t.val = scale10(float64(mant), exp10)
		if s[i] == '-' {
			t.val = -t.val
		}
	} else {
		t.val = slowFloat(string(s[i:j]))
	}
	l.behindNumber(&t, s)
	return t
}

// mantissa reads digits, thousands separators and a decimal point.
func mantissa(s []byte, i int, t *token) (mant uint64, exp10, digits, end int) {
	j := i
	for ; j < len(s); j++ {
		c := s[j]
		if isDigit(c) {
			if mant != 0 || c != '0' {
				digits++
				if digits <= 18 {
					mant = mant*10 + uint64(c-'0')
				} else {
					digits = 99
				}
			}
			continue
		}
		if c == ',' && j > i && j-i <= 3 && thousands(s, i, j) {
			for j < len(s) && s[j] == ',' && thousands(s, i, j) {
				for _, d := range s[j+1 : j+4] {
					mant = mant*10 + uint64(d-'0')
					digits++
				}
				j += 4
			}
			t.whole = true
			break
		}
		break
	}
	if j < len(s) && s[j] == '.' && (j+1 == len(s) || s[j+1] != '.') {
		t.whole = false
		for j++; j < len(s) && isDigit(s[j]); j++ {
			if mant != 0 || s[j] != '0' {
				digits++
				if digits <= 18 {
					mant = mant*10 + uint64(s[j]-'0')
				} else {
					digits = 99
				}
			}
			exp10--
		}
		if s[j-1] == '.' { // "5." ends a sentence, "5.e-1" does not occur
			j--
			t.whole = true
		}
	}
	if mant == 0 && digits == 0 {
		digits = 1
	}
	return mant, exp10, digits, j
}

// thousands: a comma at j that groups three digits: 7,412 and not the list 1,234 in brackets.
func thousands(s []byte, i, j int) bool {
	if j+3 >= len(s) || !isDigit(s[j+1]) || !isDigit(s[j+2]) || !isDigit(s[j+3]) {
		return false
	}
	if j+4 < len(s) && (isAlnum(s[j+4]) || s[j+4] == '.' && j+5 < len(s) && isDigit(s[j+5])) {
		return false
	}
	if i > 0 && (s[i-1] == '[' || s[i-1] == '(' || s[i-1] == ',') {
		return false
	}
	return s[i] != '0'
}

func exponent(s []byte, j int) (e, end int) {
	k := j + 1
	neg := false
	if k < len(s) && (s[k] == '-' || s[k] == '+') {
		neg = s[k] == '-'
		k++
	}
	from := k
	for k < len(s) && isDigit(s[k]) && k-from < 4 {
		e = e*10 + int(s[k]-'0')
		k++
	}
	if k == from || k < len(s) && isAlpha(s[k]) {
		return 0, 0
	}
	if neg {
		e = -e
	}
	return e, k
}

var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// scale10 is exact for mantissas under 2^53 and these exponents.
func scale10(m float64, e int) float64 {
	if e < 0 {
		return m / powers[-e]
	}
	return m * powers[e]
}

// exactDigits is how many digits scale10 converts exactly.
const exactDigits = 15

// slowFloat converts a number of any length.
func slowFloat(s string) float64 {
	s = strings.TrimSuffix(s, "%")
	if strings.IndexByte(s, ',') >= 0 {
		s = strings.ReplaceAll(s, ",", "")
	}
	if i := strings.IndexByte(s, 'f'); i > 0 && isDigit(s[i-1]) {
		s = s[:i] + "e" + s[i+1:]
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}

// behindNumber looks at what is glued to a number: a percent sign, a unit, or
// what shows that it is no value.
func (l *lexicon) behindNumber(t *token, s []byte) {
	j := int(t.end)
	t.unitEnd = t.end
	if j >= len(s) {
		return
	}
	c := s[j]
	switch {
	case c == '%':
		t.percent = true
		t.unitEnd++
	case c == ':' && clockAt(s, int(t.start), j), c == '-' && dateAt(s, int(t.start), j), c == '.' && j+1 < len(s) && isDigit(s[j+1]):
		t.kind = tokJunk
		for j < len(s) && (isAlnum(s[j]) || (s[j] == ':' || s[j] == '.' || s[j] == '-' || s[j] == '+' || s[j] == ',') && j+1 < len(s) && isAlnum(s[j+1])) {
			j++
		}
		t.unitEnd = int32(j)
	case isAlpha(c):
		l.gluedLetters(t, s)
	case c == '/' && j+1 < len(s) && s[j+1]|0x20 == 's' && (j+2 == len(s) || !isAlnum(s[j+2])):
		t.unitEnd += 2
		for k := int(t.unitEnd); k < len(s) && (isAlpha(s[k]) || s[k] == '/'); k++ {
			t.unitEnd++
		}
	}
}

// gluedLetters: a unit is taken; with other letters a whole number is an
// identifier (2nd, 0x1f, 5epoch), and a number with a point ends before them.
func (l *lexicon) gluedLetters(t *token, s []byte) {
	j := int(t.end)
	k := j
	for k < len(s) && (isAlpha(s[k]) || s[k] == '/' && k+1 < len(s) && isAlpha(s[k+1])) {
		k++
	}
	word := s[j:k]
	if k == len(s) || !isDigit(s[k]) {
		if _, ok := l.units[string(word)]; ok {
			t.unitEnd = int32(k)
			return
		}
		if _, ok := l.units[lower(string(word))]; ok {
			t.unitEnd = int32(k)
			return
		}
		if len(word) == 1 && (word[0] == 'k' || word[0] == 'K' || word[0] == 'M' || word[0] == 'G' || word[0] == 'B' || word[0] == 'T') {
			t.unitEnd = int32(k)
			return
		}
	}
	if !t.whole && startsMessage(word) {
		return
	}
	for k < len(s) && (isAlnum(s[k]) || s[k] == '.' && k+1 < len(s) && isAlnum(s[k+1])) {
		k++
	}
	t.kind, t.unitEnd = tokJunk, int32(k)
}

// startsMessage: "0.2188Batch 1": a message was glued to a value that its writer had not ended.
func startsMessage(w []byte) bool { return len(w) > 3 || w[0] >= 'A' && w[0] <= 'Z' && len(w) > 1 }

// clockAt: 00:41, 1:03:20, and no key:value.
func clockAt(s []byte, i, j int) bool {
	if j-i > 3 || j+2 >= len(s) || !isDigit(s[j+1]) || !isDigit(s[j+2]) {
		return j-i > 3 && j+5 < len(s) && s[j+3] == ':' && isDigit(s[j+1]) && isDigit(s[j+2]) && isDigit(s[j+4]) && isDigit(s[j+5])
	}
	return j+3 == len(s) || !isDigit(s[j+3])
}

// dateAt: 2024-01-31.
func dateAt(s []byte, i, j int) bool {
	return j-i == 4 && j+5 < len(s) && isDigit(s[j+1]) && isDigit(s[j+2]) && s[j+3] == '-' && isDigit(s[j+4])
}
