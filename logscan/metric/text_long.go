package metric

import (
	"bytes"
	"slices"
)

// longTable is a table that has one value a row and says in a column of its
// own what is measured, as evaluation harnesses print it:
//
//	|    Tasks    |Version|Filter|n-shot| Metric |   |Value |   |Stderr|
//	|arc_challenge|      1|none  |     0|acc     |↑  |0.2841|±  |0.0132|
//	|             |       |none  |     0|acc_norm|↑  |0.3106|±  |0.0135|
//
// An empty first cell means the one above.
type longTable struct {
	columns, metric, value int // number of columns, and places of two of them; 0 columns: no such table
	label                  []byte
}

// measured are the first columns of such tables: what was measured, not what
// was configured.
var measured = map[string]bool{"task": true, "tasks": true, "group": true, "groups": true, "dataset": true, "datasets": true, "benchmark": true, "benchmarks": true}

// longHeader takes a header that has a column Metric and a column Value.
func (r *Reader) longHeader(cells [][]byte) bool {
	if len(cells) < 3 || len(cells) > maxColumns {
		return false
	}
	metric, value := -1, -1
	for i, c := range cells {
		switch {
		case bytes.EqualFold(c, []byte("metric")):
			metric = i
		case bytes.EqualFold(c, []byte("value")):
			value = i
		}
	}
	if metric < 1 || value < metric || !measured[lower(string(cells[0]))] {
		return false
	}
	r.long = longTable{columns: len(cells), metric: metric, value: value, label: r.long.label[:0]}
	return true
}

// longRow reads a row below such a header.
func (r *Reader) longRow(s []byte) bool {
	if r.long.columns == 0 {
		return false
	}
	cells := r.tabs.cut(s, '|', false)
	if len(cells) != r.long.columns {
		return false
	}
	if label := bytes.TrimLeft(cells[0], "- "); len(label) > 0 {
		r.long.label = append(r.long.label[:0], label...)
	}
	name, number := cells[r.long.metric], cells[r.long.value]
	if len(name) == 0 || len(name) > 48 || len(number) == 0 || !valueCell(number) {
		return false
	}
	d := &r.d
	d.reset(0)
	info := *r.column(name)
	if info.standing == rejected || info.counter != noCounter {
		return true // such as a count of seconds: a row of the table, and no metric
	}
	r.cell(d, &info, number)
	if len(d.fields) == 0 {
		return true
	}
	r.emitLong(d, slices.Clone(name))
	return true
}

// emitLong emits one row. A harness measures, it does not train: each value is
// an evaluation's, over all that the process did until then.
func (r *Reader) emitLong(d *draft, name []byte) {
	label := string(r.long.label)
	d.end = len(r.text)
	rec := &r.rec
	*rec = Record{Fields: rec.Fields[:0], Format: r.cat.formats.rowsOf.id, Flush: r.flushes(d), Phase: SplitTest, Process: true}
	rec.Offset, rec.End, rec.Line, rec.Time = r.place(d)
	if label != "" && label != "all" {
		d.fields[0].name = Normalise(label) + "_" + d.fields[0].info.name
	}
	r.field(rec, d, &d.fields[0], true)
	rec.Fields[0].Printed = label + " " + string(name)
	d.reset(0)
	r.closeBlock()
	r.attach(rec)
}
