package report

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"

	"github.com/trainvet/trainvet/analyzers/site"
	"github.com/trainvet/trainvet/internal/plain"
)

// maxSnippet is how many runes of a source line are shown.
const maxSnippet = 160

// snippets shows source lines with a caret under what is meant. A file is read
// once; one that cannot be read any more shows nothing.
type snippets struct {
	source func(string) ([]byte, error)
	lines  map[string][][]byte
}

func newSnippets(source func(string) ([]byte, error)) *snippets {
	return &snippets{source: source, lines: map[string][][]byte{}}
}

// line is the text of a place's line; empty where there is none to show. Lines
// of a notebook's cell are not those of its file.
func (s *snippets) line(at site.Position) string {
	if s.source == nil || at.Line < 1 || at.Cell > 0 {
		return ""
	}
	lines, ok := s.lines[at.File]
	if !ok {
		if text, err := s.source(at.File); err == nil {
			lines = bytes.Split(text, []byte("\n"))
		}
		s.lines[at.File] = lines
	}
	if at.Line > len(lines) {
		return ""
	}
	return strings.TrimRight(string(lines[at.Line-1]), "\r")
}

// of returns the line as it is shown and, below it, the marks.
func (s *snippets) of(at, end site.Position) (line, marks string) {
	text := s.line(at)
	if text == "" {
		return "", ""
	}
	return mark(text, at, end)
}

// mark escapes a source line piece by piece, so that the marks stand below
// what they mean also where a piece grew by being escaped.
func mark(text string, at, end site.Position) (line, marks string) {
	indent := len(text) - len(strings.TrimLeft(text, " \t"))
	from := min(max(at.Column-1, 0), len(text))
	if at.Column == 0 {
		from = indent
	}
	to := len(text)
	if end.Line == at.Line && end.Column-1 > from {
		to = min(end.Column-1, len(text))
	}
	indent = min(indent, from)
	before, marked, after := text[indent:from], strings.TrimRight(text[from:to], " \t"), text[to:]
	if rest := text[from:to]; len(marked) < len(rest) {
		after = rest[len(marked):] + after
	}
	before, marked, after = plain.Line(before, 0), plain.Line(marked, 0), plain.Line(after, 0)
	n, m := width(before), width(marked)
	if n+m > maxSnippet { // show what is meant, not where the line begins
		before, n = plain.Ellipsis, 1
		marked = plain.Line(marked, maxSnippet-1)
		m = width(marked)
	}
	if at.Column == 0 {
		return plain.Line(before+marked+after, maxSnippet), ""
	}
	line = before + marked + after
	if width(line) > maxSnippet {
		line = string([]rune(line)[:maxSnippet-1]) + plain.Ellipsis
	}
	return line, strings.Repeat(" ", n) + "^" + strings.Repeat("~", max(m-1, 0))
}

// width is how many columns a printable line takes: a wide letter takes two.
func width(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case isMark(r):
		case wide(r):
			n += 2
		default:
			n++
		}
	}
	return n
}

// snippet prints the line with its number, and the marks below it.
func (p *page) snippet(s *snippets, at, end site.Position) {
	line, marks := s.of(at, end)
	if line == "" {
		return
	}
	number := strconv.Itoa(at.Line)
	p.raw("    " + number + " | " + line)
	if marks != "" {
		p.raw("    " + strings.Repeat(" ", len(number)) + " | " + marks)
	}
}

func isMark(r rune) bool { return unicode.Is(unicode.M, r) }

// wide covers the scripts and pictures that terminals give two columns.
func wide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) ||
		r >= 0xff01 && r <= 0xff60 || r >= 0x1f300 && r <= 0x1faff
}
