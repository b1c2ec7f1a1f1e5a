package config

import (
	"strconv"
	"strings"
)

// Error is a fault in a configuration file. File, key and text may hold
// untrusted bytes.
type Error struct {
	File string
	Line int // 0: not known
	Key  string
	Text string
	// Meant is the declared key or word that was probably meant; empty: none is near.
	Meant string
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		b.WriteString(":" + strconv.Itoa(e.Line))
	}
	b.WriteString(": ")
	if e.Key != "" {
		b.WriteString(e.Key + ": ")
	}
	b.WriteString(e.Text)
	if e.Meant != "" {
		b.WriteString("; did you mean " + e.Meant + "?")
	}
	return b.String()
}
