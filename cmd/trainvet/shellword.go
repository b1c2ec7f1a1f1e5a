package main

import (
	"fmt"
	"strings"
)

// shellWord is a text as a shell is to be given it, so that a line of ours can be
// copied. What a terminal could not show is written as bash, zsh and ksh read it.
func shellWord(text string) string {
	plainest, shown := text != "", true
	for _, c := range []byte(text) {
		if c < ' ' || c >= 0x7f {
			shown = false
		}
		if !strings.ContainsRune("%+,-./:=@_", rune(c)) && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			plainest = false
		}
	}
	switch {
	case plainest:
		return text
	case shown:
		return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	}
	var b strings.Builder
	b.WriteString("$'")
	for _, c := range []byte(text) {
		switch {
		case c == '\'' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + "'"
}
