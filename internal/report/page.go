package report

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/trainvet/trainvet/internal/plain"
	"github.com/trainvet/trainvet/logscan/verdict"
)

const (
	minWidth = 40  // narrower terminals wrap by themselves
	maxName  = 160 // runes of a metric, file or rank name
	maxQuote = 200 // runes of a line of the log
)

// page collects the lines of a report.
type page struct {
	b bytes.Buffer
	o Options
}

// emit is the only way out: every line of a text report passes here and
// through package plain, whatever it was built from.
func (p *page) emit(indent int, text string) { p.write(indent, "", text) }

// headline is a line that begins with a verdict word.
func (p *page) headline(v verdict.Verdict, l verdict.Level, text string) {
	start := p.b.Len()
	p.write(0, verdictWords(v, l), text)
	if p.o.Color {
		rest := string(p.b.Bytes()[start+len(v.String()):])
		p.b.Truncate(start)
		p.b.WriteString(verdictColors[v] + v.String() + "\x1b[0m" + rest)
	}
}

// section starts a part of the report.
func (p *page) section(title string) {
	p.b.WriteByte('\n')
	p.emit(0, title)
}

func (p *page) write(indent int, head, text string) {
	if head != "" {
		text = head + "  " + text
	}
	text = strings.TrimRight(plain.Line(text, 0), " ")
	for i, line := range wrap(text, indent, p.width()) {
		pad := indent
		if i > 0 {
			pad += 2
		}
		p.b.WriteString(strings.Repeat(" ", pad))
		p.b.WriteString(line)
		p.b.WriteByte('\n')
	}
}

func (p *page) width() int {
	if p.o.Width <= 0 {
		return 0
	}
	return max(p.o.Width, minWidth)
}

// wrap breaks text at blanks. A word longer than the width stays whole: a path
// that is cut cannot be copied.
func wrap(text string, indent, width int) []string {
	if width == 0 || indent+utf8.RuneCountInString(text) <= width {
		return []string{text}
	}
	var lines []string
	room := width - indent
	for utf8.RuneCountInString(text) > room {
		at := breakAt(text, room)
		if at < 0 {
			break
		}
		lines = append(lines, strings.TrimRight(text[:at], " "))
		text = strings.TrimLeft(text[at:], " ")
		room = width - indent - 2 // what follows hangs
	}
	return append(lines, text)
}

// breakAt is the byte index of the last blank within room runes, else of the
// first blank behind, else -1. The blanks of "TRUSTED (log)  name" keep the
// verdict with its assurance and its name.
func breakAt(text string, room int) int {
	last, n, from := -1, 0, len("TRUSTED (captured)  ")
	for i, r := range text {
		if r == ' ' && i >= from {
			if n > room && last < 0 {
				return i
			}
			if n <= room {
				last = i
			}
		}
		if n > room && last >= 0 {
			return last
		}
		n++
	}
	return last
}

var verdictColors = [...]string{
	verdict.Trusted:  "\x1b[32m",
	verdict.Degraded: "\x1b[33m",
	verdict.Unproven: "\x1b[35m",
	verdict.Poisoned: "\x1b[1;31m",
}

// verdictWords is the verdict as it is always written: assurance qualifies
// TRUSTED only, it never changes the others.
func verdictWords(v verdict.Verdict, l verdict.Level) string {
	if v == verdict.Trusted {
		return v.String() + " (" + l.String() + ")"
	}
	return v.String()
}

// raw is a line that keeps its blanks and is not wrapped, such as source.
func (p *page) raw(text string) {
	p.b.WriteString(strings.TrimRight(plain.Line(text, 0), " "))
	p.b.WriteByte('\n')
}
