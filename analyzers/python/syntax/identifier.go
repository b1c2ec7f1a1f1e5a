package syntax

import (
	"unicode"
	"unicode/utf8"
)

// badRune is the offset of the first rune that a name cannot hold, -1: none.
func badRune(word []byte) int {
	for i := 0; i < len(word); {
		r, n := utf8.DecodeRune(word[i:])
		if !isNameRune(r, i == 0) {
			return i
		}
		i += n
	}
	return -1
}

// isNameRune tells XID_Start and XID_Continue of Unicode.
func isNameRune(r rune, first bool) bool {
	switch {
	case r < 0x80:
		return true // the lexer has looked
	case unicode.Is(notNormal, r), first && unicode.Is(notFirst, r):
		return false
	case unicode.IsLetter(r), unicode.In(r, unicode.Nl, unicode.Other_ID_Start):
		return true
	}
	return !first && unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue)
}

// Letters whose normal form (NFKC) is no name, or none that could begin one.
var (
	notNormal = &unicode.RangeTable{R16: []unicode.Range16{
		{Lo: 0x037a, Hi: 0x037a, Stride: 1}, {Lo: 0x2e2f, Hi: 0x2e2f, Stride: 1},
		{Lo: 0x309b, Hi: 0x309c, Stride: 1}, {Lo: 0xfc5e, Hi: 0xfc63, Stride: 1},
		{Lo: 0xfdfa, Hi: 0xfdfb, Stride: 1}, {Lo: 0xfe70, Hi: 0xfe7e, Stride: 2},
	}}
	notFirst = &unicode.RangeTable{R16: []unicode.Range16{
		{Lo: 0x0e33, Hi: 0x0e33, Stride: 1}, {Lo: 0x0eb3, Hi: 0x0eb3, Stride: 1},
		{Lo: 0xff9e, Hi: 0xff9f, Stride: 1},
	}}
)
