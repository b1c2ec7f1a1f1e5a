package marker

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// maxCell bounds a line of a data file.
const maxCell = 1 << 20

// RowError says which cell of a data file is wrong.
type RowError struct {
	File   string
	Row    int // line number, from 1
	Column string
	Text   string
}

func (e *RowError) Error() string {
	if e.Column == "" {
		return fmt.Sprintf("%s, row %d: %s", e.File, e.Row, e.Text)
	}
	return fmt.Sprintf("%s, row %d, column %s: %s", e.File, e.Row, e.Column, e.Text)
}

// row is one line of a tab-separated table with a header.
type row struct {
	file  string
	no    int
	cells map[string]string
}

func (r row) get(column string) string { return r.cells[column] }

func (r row) err(column, format string, args ...any) error {
	return &RowError{File: r.file, Row: r.no, Column: column, Text: fmt.Sprintf(format, args...)}
}

// oneOf returns the cell when it is one of the words, or the default when empty.
func (r row) oneOf(column, empty string, words ...string) (string, error) {
	v := r.get(column)
	if v == "" {
		v = empty
	}
	if !slices.Contains(words, v) {
		return "", r.err(column, "%q is none of %s", v, strings.Join(words, ", "))
	}
	return v, nil
}

// list splits a cell at " || ". Blanks inside count; \n in an anchor stands for
// the end of a line.
func (r row) list(column string) []string {
	var out []string
	for s := range strings.SplitSeq(r.get(column), " || ") {
		if s != "" {
			out = append(out, strings.ReplaceAll(s, `\n`, "\n"))
		}
	}
	return out
}

// readTable reads a tab-separated table. Its first line names the columns, of
// which those in need must be there; lines that are empty or start with # are
// comments. Trailing empty cells may be left out.
func readTable(r io.Reader, file string, known, need []string) ([]row, error) {
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, maxCell)
	var head []string
	var rows []row
	for no := 1; sc.Scan(); no++ {
		line := strings.TrimRight(sc.Text(), "\r")
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "\t")
		if head == nil {
			head = cells
			if err := checkHead(head, file, no, known, need); err != nil {
				return nil, err
			}
			continue
		}
		if len(cells) > len(head) {
			return nil, &RowError{File: file, Row: no, Text: fmt.Sprintf("%d cells, the header names %d", len(cells), len(head))}
		}
		m := make(map[string]string, len(cells))
		for i, c := range cells {
			m[head[i]] = c
		}
		rows = append(rows, row{file: file, no: no, cells: m})
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	return rows, nil
}

func checkHead(head []string, file string, no int, known, need []string) error {
	for i, h := range head {
		if !slices.Contains(known, h) {
			return &RowError{File: file, Row: no, Column: h, Text: "unknown column; known are " + strings.Join(known, ", ")}
		}
		if slices.Contains(head[:i], h) {
			return &RowError{File: file, Row: no, Column: h, Text: "named twice"}
		}
	}
	for _, n := range need {
		if !slices.Contains(head, n) {
			return &RowError{File: file, Row: no, Column: n, Text: "the header does not name it"}
		}
	}
	return nil
}
