package syntax

import (
	"bytes"
	"sort"
)

// Position is a place in the text.
type Position struct {
	Offset int // in bytes, from 0
	Line   int // from 1
	Column int // in bytes of UTF-8, from 0, as in CPython's ast
}

// Text of the file, in UTF-8.
func (t *Tree) Text() []byte { return t.text }

// Start is the offset of a node's first byte.
func (t *Tree) Start(n Node) int { return int(t.nodes[n].start) }

// End is the offset behind a node's last byte.
func (t *Tree) End(n Node) int { return int(t.nodes[n].end) }

// Source is the text of a node.
func (t *Tree) Source(n Node) []byte { return t.text[t.nodes[n].start:t.nodes[n].end] }

// Pos is where a node begins.
func (t *Tree) Pos(n Node) Position { return t.Position(int(t.nodes[n].start)) }

// EndPos is where it ends.
func (t *Tree) EndPos(n Node) Position { return t.Position(int(t.nodes[n].end)) }

// Lines is the number of lines; a newline at the end of the file begins none.
func (t *Tree) Lines() int { return len(t.lineStarts()) }

// lineStarts finds the lines when somebody asks for the first time: of most
// files nobody does.
func (t *Tree) lineStarts() []uint32 {
	t.once.Do(func() { t.lines = splitLines(t.lines, t.text) })
	return t.lines
}

// Position finds line and column of an offset.
func (t *Tree) Position(offset int) Position {
	lines := t.lineStarts()
	i := sort.Search(len(lines), func(i int) bool { return int(lines[i]) > offset }) - 1
	i = max(i, 0)
	return Position{Offset: offset, Line: i + 1, Column: max(0, offset-int(lines[i]))}
}

// splitLines finds the lines of a text. A lone \r ends a line too. The byte
// order mark belongs to no column.
func splitLines(lines []uint32, text []byte) []uint32 {
	lines = append(lines[:0], uint32(bomLen(text)))
	if bytes.IndexByte(text, '\r') >= 0 {
		return splitMixed(lines, text)
	}
	for i := 0; ; {
		j := bytes.IndexByte(text[i:], '\n')
		if j < 0 || i+j+1 >= len(text) {
			return lines
		}
		i += j + 1
		lines = append(lines, uint32(i))
	}
}

func splitMixed(lines []uint32, text []byte) []uint32 {
	for i := 0; i < len(text)-1; i++ {
		if c := text[i]; c == '\n' || c == '\r' && text[i+1] != '\n' {
			lines = append(lines, uint32(i+1))
		}
	}
	return lines
}
