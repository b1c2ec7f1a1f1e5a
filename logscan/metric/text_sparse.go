package metric

import (
	"bytes"
	"slices"
)

// Chainer and ESPnet leave a cell of their table blank until its column has a
// value: what a cell belongs to shows in where it begins.

// starts is where each cell begins in the line that they were cut from.
func starts(line []byte, cells [][]byte) []int {
	at := make([]int, 0, len(cells))
	pos := 0
	for _, c := range cells {
		i := bytes.Index(line[pos:], c)
		if i < 0 {
			return nil
		}
		at = append(at, pos+i)
		pos += i + len(c)
	}
	return at
}

// sparseRow reads a row with blank cells: each of the others begins exactly
// below its column, and the first column has its counter.
func (r *Reader) sparseRow(t *table, s []byte) bool {
	if !t.counter || len(t.starts) != len(t.columns) || len(s) == 0 || !isDigit(s[0]) {
		return false
	}
	cells := r.tabs.cut(s, ' ', true)
	if len(cells) < 2 || len(cells) >= len(t.columns) {
		return false
	}
	row := make([][]byte, len(t.columns))
	for i, at := range starts(s, cells) {
		column := slices.Index(t.starts, at)
		if column < 0 {
			return false
		}
		row[column] = cells[i]
	}
	return r.tableRow(t, row)
}

// apart cuts a cell of two columns that only one blank parts, because the
// first fills its width: "mAP@.5 mAP@.5:.95".
func (r *Reader) apart(cells [][]byte) [][]byte {
	for i := 0; i < len(cells); i++ {
		a, b, found := bytes.Cut(cells[i], []byte(" "))
		if !found || len(b) == 0 || bytes.IndexByte(b, ' ') >= 0 || len(cells) > maxColumns {
			continue
		}
		if r.measures(a) && r.measures(b) {
			cells = slices.Insert(cells, i+1, b)
			cells[i] = a
		}
	}
	return cells
}

func (r *Reader) measures(column []byte) bool {
	info := r.column(column)
	return info.standing == strong && isQuality(info.kind)
}
