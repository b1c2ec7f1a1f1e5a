package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/metric/value"
)

// Row is one row of data.
type Row struct {
	Offset int64
	End    int64
	Line   int64
	Header *Header
	// Values are the cells that hold a number, by column.
	Values []value.Value
	// Texts are the other cells that are not empty, by column.
	Texts map[string]string
}

// Header is a line of column names; rows of one header share it.
type Header struct {
	Columns []string
	Line    int64
	// Again: it stands in the middle and names the columns of the one before.
	Again bool
}

// Info is what reading a whole table showed beside its rows.
type Info struct {
	Bytes     int64
	Lines     int64
	Rows      int64
	Separator byte
	Headers   int
	Torn      *Bad // the last row was cut off
	Unended   bool // the last row is whole as far as can be seen, but has no line end
	Bad       []Bad
	BadRows   int64 // all of them; Bad holds the first few
}

// Bad is a row that was not read.
type Bad struct {
	Offset int64
	End    int64
	Line   int64
	Why    string
	Zero   bool // it holds NUL bytes
}

const maxBad = 16

// NoTableError says that a file has no line of column names.
type NoTableError struct {
	Line int64
	What string
}

func (e *NoTableError) Error() string {
	return fmt.Sprintf("no table: line %d %s", e.Line, e.What)
}

// Read calls each for every row.
func Read(ctx context.Context, r io.Reader, each func(*Row) error) (Info, error) {
	t := &reader{rows: newRows(r), each: each}
	for {
		if err := ctx.Err(); err != nil {
			return t.finish(), err
		}
		w, err := t.rows.next()
		if errors.Is(err, io.EOF) {
			return t.finish(), nil
		}
		if err != nil {
			return t.finish(), fmt.Errorf("reading a table at offset %d: %w", w.offset, err)
		}
		if err := t.row(w); err != nil {
			return t.finish(), err
		}
	}
}

type reader struct {
	rows   *rows
	each   func(*Row) error
	header *Header
	cells  []string
	info   Info
}

func (t *reader) finish() Info {
	t.info.Bytes, t.info.Lines = t.rows.offset, t.rows.line-1
	return t.info
}

func (t *reader) row(w row) error {
	text := strings.TrimSpace(string(w.text))
	switch {
	case text == "" && !w.zero, strings.HasPrefix(text, "#{"), strings.HasPrefix(text, "//"):
		return nil
	case w.zero:
		t.bad(w, "it holds NUL bytes")
		return nil
	case w.long:
		t.bad(w, fmt.Sprintf("it is longer than %d bytes", maxRow))
		return nil
	case w.open:
		t.bad(w, "a quote in it is not closed")
		return nil
	case t.header == nil:
		return t.first(w)
	}
	t.cells = split(w.text, t.info.Separator, t.cells)
	if h := t.again(w); h != nil {
		t.header = h
		t.info.Headers++
		return nil
	}
	if len(t.cells) != len(t.header.Columns) && !t.trailing() {
		t.misfit(w)
		return nil
	}
	t.info.Rows++
	t.info.Unended = !w.closed
	return t.emit(w)
}

// first takes the first line that is no comment as the header.
func (t *reader) first(w row) error {
	text := w.text
	if text[0] == '#' {
		text = text[1:]
	}
	t.info.Separator = separator(text)
	t.cells = split(text, t.info.Separator, t.cells)
	if what := noHeader(t.cells); what != "" {
		return &NoTableError{Line: w.line, What: what}
	}
	t.header = &Header{Columns: slices.Clone(t.cells), Line: w.line}
	t.info.Headers++
	return nil
}

func noHeader(cells []string) string {
	if len(cells) < 2 {
		return "has no separated columns"
	}
	for _, c := range cells {
		if _, ok := number(c, ','); ok {
			return fmt.Sprintf("holds the number %.20q where a column name should be", c)
		}
	}
	return ""
}

// again recognises a header in the middle: no cell is a number, and it shares
// a name with the header before. A row of data has a number or is empty.
func (t *reader) again(w row) *Header {
	shared := 0
	for _, c := range t.cells {
		if c == "" {
			continue
		}
		if _, ok := number(c, t.info.Separator); ok {
			return nil
		}
		if slices.Contains(t.header.Columns, c) {
			shared++
		}
	}
	if shared == 0 || len(t.cells) < 2 {
		return nil
	}
	h := &Header{Columns: slices.Clone(t.cells), Line: w.line}
	h.Again = slices.Equal(h.Columns, t.header.Columns)
	return h
}

// trailing allows for separators at the row's end behind the last column.
func (t *reader) trailing() bool {
	for len(t.cells) > len(t.header.Columns) && t.cells[len(t.cells)-1] == "" {
		t.cells = t.cells[:len(t.cells)-1]
	}
	return len(t.cells) == len(t.header.Columns)
}

func (t *reader) misfit(w row) {
	if !w.closed && len(t.cells) < len(t.header.Columns) {
		t.info.Torn = &Bad{
			Offset: w.offset, End: w.end, Line: w.line,
			Why: fmt.Sprintf("the file ends in it, after %d of %d columns", len(t.cells), len(t.header.Columns)),
		}
		return
	}
	t.bad(w, fmt.Sprintf("it has %d cells, its header %d", len(t.cells), len(t.header.Columns)))
}

func (t *reader) bad(w row, why string) {
	t.info.BadRows++
	if len(t.info.Bad) < maxBad {
		t.info.Bad = append(t.info.Bad, Bad{Offset: w.offset, End: w.end, Line: w.line, Why: why, Zero: w.zero})
	}
}

func (t *reader) emit(w row) error {
	r := Row{Offset: w.offset, End: w.end, Line: w.line, Header: t.header}
	for i, c := range t.cells {
		name := t.header.Columns[i]
		if c == "" || name == "" {
			continue
		}
		if f, ok := number(c, t.info.Separator); ok {
			r.Values = append(r.Values, value.Value{Name: name, Text: c, Number: f, Offset: w.offset})
			continue
		}
		if r.Texts == nil {
			r.Texts = make(map[string]string)
		}
		r.Texts[name] = c
	}
	return t.each(&r)
}

// number reads a cell. Where semicolons separate, a comma is a decimal one.
func number(cell string, sep byte) (float64, bool) {
	if sep == ';' && strings.Count(cell, ",") == 1 && !strings.Contains(cell, ".") {
		cell = strings.Replace(cell, ",", ".", 1)
	}
	return value.Parse(cell)
}
