package table

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxRow is the longest row that is looked at; a metric table has rows of some
// hundred bytes. The rest of a longer one is read over.
const maxRow = 1 << 20

// maxRowLines bounds the lines of one row: a quote that was never closed costs
// so many rows and not the file.
const maxRowLines = 16

// row is the raw text of one row; it has more than one line where a quoted
// cell has.
type row struct {
	text   []byte
	offset int64
	end    int64
	line   int64
	closed bool // ended by a line end
	long   bool // longer than maxRow
	zero   bool // held NUL bytes
	open   bool // a quote in it is not closed
}

type rows struct {
	src    *bufio.Reader
	offset int64
	line   int64
	buf    []byte
}

func newRows(r io.Reader) *rows {
	return &rows{src: bufio.NewReaderSize(r, 64<<10), line: 1}
}

// next returns the next row; its text is valid until the call after it.
func (s *rows) next() (row, error) {
	w := row{offset: s.offset, line: s.line}
	s.buf = s.buf[:0]
	quotes := 0
	for {
		part, err := s.src.ReadSlice('\n')
		s.offset += int64(len(part))
		quotes += bytes.Count(part, []byte{'"'})
		if len(s.buf)+len(part) <= maxRow {
			s.buf = append(s.buf, part...)
		} else {
			w.long = true
		}
		switch {
		case err == nil:
			s.line++
			// A line end inside quotes belongs to the cell.
			if quotes%2 == 1 && !w.long {
				if w.open = s.line-w.line >= maxRowLines; !w.open {
					continue
				}
			}
			w.closed = true
			return s.done(w), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			if s.offset == w.offset {
				return w, io.EOF
			}
			return s.done(w), nil
		default:
			return w, err
		}
	}
}

func (s *rows) done(w row) row {
	w.end = s.offset
	w.zero = bytes.IndexByte(s.buf, 0) >= 0
	w.text = bytes.TrimRight(s.buf, "\r\n")
	if w.offset == 0 {
		w.text = bytes.TrimPrefix(w.text, []byte("\xef\xbb\xbf"))
	}
	return w
}

// split cuts a row into cells, quotes off, spaces around them off.
func split(text []byte, sep byte, cells []string) []string {
	cells = cells[:0]
	for {
		cell, rest, more := cut(text, sep)
		cells = append(cells, cell)
		if !more {
			return cells
		}
		text = rest
	}
}

func cut(text []byte, sep byte) (cell string, rest []byte, more bool) {
	trimmed := bytes.TrimLeft(text, " ")
	if len(trimmed) == 0 || trimmed[0] != '"' {
		i := bytes.IndexByte(text, sep)
		if i < 0 {
			return string(bytes.TrimSpace(text)), nil, false
		}
		return string(bytes.TrimSpace(text[:i])), text[i+1:], true
	}
	var b []byte
	i := 1
	for ; i < len(trimmed); i++ {
		if trimmed[i] != '"' {
			b = append(b, trimmed[i])
			continue
		}
		if i+1 < len(trimmed) && trimmed[i+1] == '"' {
			b = append(b, '"')
			i++
			continue
		}
		break
	}
	rest = trimmed[min(i+1, len(trimmed)):]
	if j := bytes.IndexByte(rest, sep); j >= 0 {
		return string(b), rest[j+1:], true
	}
	return string(b), nil, false
}

// separator chooses what cuts the header into most cells.
func separator(text []byte) byte {
	best, count := byte(','), 0
	for _, sep := range []byte{',', ';', '\t'} {
		if n := len(split(text, sep, nil)); n > count {
			best, count = sep, n
		}
	}
	return best
}
