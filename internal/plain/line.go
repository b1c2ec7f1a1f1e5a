package plain

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Ellipsis stands where Line left something out.
const Ellipsis = "…"

// maxMarks is how many combining marks in a row pass: written languages need
// up to four; more than that climbs into the neighbouring lines.
const maxMarks = 4

// Line returns s as one printable line of at most max runes; max <= 0 means no
// limit. A longer text keeps its beginning and its end around an [Ellipsis],
// since the end of a log line often names the cause. The work done is bounded
// by max, not by the length of s.
func Line(s string, max int) string {
	head, rest := escapeHead(s, max)
	if rest == "" {
		return defuse(head)
	}
	front := max * 2 / 3
	head, _ = cut(s, front)
	return defuse(head + Ellipsis + escapeTail(s, max-front-1))
}

// escapeHead escapes s from its start. If the result would exceed max runes it
// gives up and returns what is left over.
func escapeHead(s string, max int) (head, rest string) {
	if max <= 0 {
		max = int(^uint(0) >> 1)
	}
	return cut(s, max)
}

// cut escapes units of s while they fit into max runes, and returns the rest.
func cut(s string, max int) (head, rest string) {
	var b strings.Builder
	width, marks := 0, maxMarks // a mark at the start would join what we print before it
	for len(s) > 0 {
		unit, size := escape(s, &marks)
		n := utf8.RuneCountInString(unit)
		if width+n > max {
			break
		}
		b.WriteString(unit)
		width += n
		s = s[size:]
	}
	return b.String(), s
}

// escapeTail escapes the last units of s that fit into max runes.
func escapeTail(s string, max int) string {
	start := len(s)
	for n := 0; n < max && start > 0; n++ { // every unit is at least one rune wide
		_, size := utf8.DecodeLastRuneInString(s[:start])
		start -= size
	}
	var units []string
	width, marks := 0, maxMarks
	for s = s[start:]; len(s) > 0; {
		unit, size := escape(s, &marks)
		units = append(units, unit)
		width += utf8.RuneCountInString(unit)
		s = s[size:]
	}
	for len(units) > 0 && (width > max || startsWithMark(units[0])) {
		width -= utf8.RuneCountInString(units[0])
		units = units[1:]
	}
	return strings.Join(units, "")
}

func startsWithMark(unit string) bool {
	r, _ := utf8.DecodeRuneInString(unit)
	return unicode.Is(unicode.M, r)
}

// escape returns the printable form of the first character of s and its size.
// marks counts the combining marks in a row before it.
func escape(s string, marks *int) (unit string, size int) {
	if ' ' <= s[0] && s[0] <= '~' { // nearly all: five tables of characters need not be asked
		*marks = 0
		return s[:1], 1
	}
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 {
		*marks = maxMarks
		return fmt.Sprintf(`\x%02x`, s[0]), 1
	}
	if unicode.Is(unicode.M, r) && !invisible(r) {
		if *marks++; *marks <= maxMarks {
			return s[:size], size
		}
		return name(r), size
	}
	*marks = 0
	switch {
	case r == '\t', unicode.Is(unicode.Zs, r):
		return " ", size // every blank looks the same, so let it be the same
	case unicode.IsPrint(r) && !invisible(r):
		return s[:size], size
	}
	*marks = maxMarks
	return name(r), size
}

// invisible reports characters that count as letters or marks and show nothing.
func invisible(r rune) bool {
	return unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) ||
		unicode.Is(unicode.Variation_Selector, r) || r == '\u2800'
}

func name(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}
