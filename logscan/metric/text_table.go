package metric

import (
	"bytes"
	"slices"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// tables are the column headers seen lately: trainers print a training row
// and an evaluation row under headers of their own, in turn.
type tables struct {
	known   []table
	cells   [][]byte
	columns []*nameInfo // scratch
	wide    []byte      // the line with box glyphs made plain
}

// table is a header of column names.
type table struct {
	cut     byte // '|', ',' or ' '
	columns []*nameInfo
	label   int  // column that names what the row is of; -1: none
	sets    bool // it names data sets
	counter bool
	strongs int
	starts  []int   // byte at which each column begins, where blanks cut
	format  *format // qualifies its rows
}

// Bounds of what is kept and tried as a table.
const (
	maxTables  = 4
	maxColumns = 40
)

// cells cuts a line at its column separator. Without a separator the cells
// stand apart by two blanks or a tab; tight: by any blank.
func (t *tables) cut(s []byte, sep byte, tight bool) [][]byte {
	cells := t.cells[:0]
	switch sep {
	case '|', ',':
		s = bytes.Trim(s, " \t")
		if sep == '|' {
			s = bytes.Trim(s, "|")
		}
		for len(cells) <= maxColumns {
			i := bytes.IndexByte(s, sep)
			if i < 0 {
				break
			}
			cells = append(cells, bytes.TrimSpace(s[:i]))
			s = s[i+1:]
		}
		cells = append(cells, bytes.TrimSpace(s))
	default:
		cells = blanks(cells, s, tight)
	}
	t.cells = cells
	return cells
}

func blanks(cells [][]byte, s []byte, tight bool) [][]byte {
	for i := 0; i < len(s) && len(cells) <= maxColumns; {
		for i < len(s) && classes[s[i]]&ccBlank != 0 {
			i++
		}
		from := i
		for i < len(s) {
			if s[i] == '\t' || s[i] == ' ' && (tight || i+1 == len(s) || classes[s[i+1]]&ccBlank != 0) {
				break
			}
			i++
		}
		if i > from {
			cells = append(cells, s[from:i])
		}
	}
	return cells
}

// plainBox makes the vertical glyphs of drawn tables bars.
func (t *tables) plainBox(s []byte) []byte {
	if len(s) < 3 {
		return s
	}
	i := bytes.IndexByte(s, 0xe2)
	if i < 0 || i > 16 {
		return s
	}
	w := append(t.wide[:0], s...)
	for _, g := range []string{"│", "┃", "║"} {
		w = bytes.ReplaceAll(w, []byte(g), []byte("|"))
	}
	t.wide = w
	return w
}

// header takes a line of column names, or the head of a results table.
func (r *Reader) header() bool {
	if len(r.text) > 1024 {
		return false
	}
	s := bytes.TrimSpace(r.tabs.plainBox(r.text))
	s = bytes.TrimPrefix(s, []byte("copypaste: "))
	s = bytes.TrimLeft(bytes.TrimPrefix(s, []byte("#")), " \t") // numpy's savetxt, gnuplot
	s = beforeBar(s)
	if len(s) < 5 || bytes.IndexByte(s, '=') >= 0 || bytes.Contains(s, []byte(": ")) {
		return false
	}
	switch {
	case bytes.IndexByte(s, '|') >= 0:
		if r.longHeader(r.tabs.cut(s, '|', false)) {
			return true
		}
		return r.takeHeader('|', r.tabs.cut(s, '|', false), false)
	case bytes.IndexByte(s, ',') >= 0:
		return !bytes.Contains(s, []byte(", ")) && r.takeHeader(',', r.tabs.cut(s, ',', false), false)
	}
	if cells := r.tabs.cut(s, ' ', false); len(cells) >= 2 {
		if r.resultsHead(cells) || r.takeHeader(' ', r.apart(cells), false) {
			return true
		}
	}
	return r.takeHeader(' ', r.tabs.cut(s, ' ', true), true)
}

// resultsHead: "Test metric   DataLoader 0", below which names stand in the first column.
func (r *Reader) resultsHead(cells [][]byte) bool {
	if len(cells[0]) < 8 || len(cells[0]) > 40 {
		return false
	}
	first := lower(string(cells[0]))
	if first[len(first)-7:] != " metric" || !bytes.HasPrefix(bytes.ToLower(cells[1]), []byte("dataloader")) {
		return false
	}
	r.closeBlock()
	r.head.step, r.head.epoch = Counter{}, Counter{}
	r.head.phase = r.cat.lex.splitOf([]string{first[:len(first)-7]}, "")
	r.openBlock(false)
	return true
}

// takeHeader keeps the cells as columns when enough of them are names of metrics.
func (r *Reader) takeHeader(cut byte, cells [][]byte, all bool) bool {
	if len(cells) < 2 || len(cells) > maxColumns {
		return false
	}
	t := table{cut: cut, label: -1, columns: r.tabs.columns[:0]}
	known, counters, weaks := 0, 0, 0
	for i, c := range cells {
		if len(c) == 0 || len(c) > 48 || isDigit(c[0]) || c[0] == '-' {
			return false
		}
		info := r.column(c)
		of, labels := r.cat.lex.labels[info.name]
		switch {
		case labels:
			t.label, t.sets = i, of == "set"
			known++
		case info.counter != noCounter:
			counters++
			known++
		case info.standing == strong:
			t.strongs++
			known++
		case info.standing == weak:
			weaks++
			known++
		}
		t.columns = append(t.columns, info)
		r.tabs.columns = t.columns
		if all && known <= i {
			return false
		}
	}
	if t.strongs == 0 && (counters == 0 || weaks == 0) || known*2 < len(cells) || all && known < len(cells) {
		return false
	}
	if t.strongs+weaks+counters < 2 {
		return false
	}
	t.counter = counters > 0
	t.columns = slices.Clone(t.columns)
	if cut == ' ' {
		t.starts = starts(r.text, cells)
	}
	t.format = &r.cat.formats.rowsOf
	for _, f := range r.cat.formats.pairs {
		if bytes.Contains(r.text, f.anchor) {
			t.format = f
			break
		}
	}
	r.keep(t)
	return true
}

// column resolves a column's name; some are abbreviated in tables only.
func (r *Reader) column(c []byte) *nameInfo {
	c = bytes.Trim(c, ")")
	if info, ok := r.names[sepColumn][string(c)]; ok {
		return info
	}
	if len(r.names[sepColumn]) >= maxNames {
		clear(r.names[sepColumn])
	}
	info := r.resolve(c, ':')
	if full, ok := r.cat.lex.columns[lower(string(c))]; ok {
		info = r.resolve([]byte(full), '=')
	}
	r.names[sepColumn][string(c)] = info
	return info
}

func (r *Reader) keep(t table) {
	for i, o := range r.tabs.known {
		if len(o.columns) == len(t.columns) && o.cut == t.cut {
			r.tabs.known[i] = t
			r.temps.list = r.temps.list[:0]
			return
		}
	}
	if len(r.tabs.known) == maxTables {
		r.tabs.known = append(r.tabs.known[:0], r.tabs.known[1:]...)
	}
	r.tabs.known = append(r.tabs.known, t)
	r.temps.list = r.temps.list[:0] // what was a line of numbers may be a row now
}

// byTable reads a row of numbers below a header of names, or a row of a drawn
// table with the name in its first column.
func (r *Reader) byTable() bool {
	s := r.text
	if len(s) > 1024 {
		return false
	}
	if c := firstByte(s); c == '|' || c == 0xe2 {
		if r.longRow(r.tabs.plainBox(s)) {
			return true
		}
		if r.boxRow(r.tabs.plainBox(s)) {
			return true
		}
	}
	if len(r.tabs.known) == 0 {
		return false
	}
	s = r.tabs.plainBox(s)
	s = beforeBar(s)
	if i := bytes.Index(s, []byte("copypaste: ")); i >= 0 {
		s = s[i+len("copypaste: "):]
	}
	for i := len(r.tabs.known) - 1; i >= 0; i-- {
		t := &r.tabs.known[i]
		if r.tableRow(t, r.tabs.cut(s, t.cut, true)) || t.cut == ' ' && t.label < 0 && !t.counter && r.tableRow(t, r.tabs.cut(s, ' ', false)) || r.sparseRow(t, s) {
			return true
		}
	}
	return false
}

func firstByte(s []byte) byte {
	for _, c := range s {
		if c != ' ' && c != '\t' {
			return c
		}
	}
	return 0
}

// tableRow fills the columns of t from the cells, if they are a row of it.
func (r *Reader) tableRow(t *table, cells [][]byte) bool {
	var name []byte
	if len(cells) == len(t.columns)+1 && t.label < 0 && t.cut == ' ' {
		name, cells = cells[0], cells[1:]
	} else if len(cells) == len(t.columns) && t.label >= 0 {
		name = cells[t.label]
	}
	if len(cells) != len(t.columns) {
		return false
	}
	for i, c := range cells {
		if i != t.label && !valueCell(c) {
			return false
		}
	}
	if name != nil && t.label < 0 && (len(name) == 0 || t.counter && isDigit(name[0])) {
		return false
	}
	d := &r.d
	d.reset(0)
	for i, c := range cells {
		if i != t.label {
			r.cell(d, t.columns[i], c)
		}
	}
	if len(d.fields) == 0 {
		return false
	}
	d.counted = true
	r.emitRow(t, d, name)
	return true
}

// valueCell: a number, a ratio, a clock or a word for no value.
func valueCell(c []byte) bool {
	if len(c) == 0 || len(c) > 32 {
		return len(c) == 0
	}
	if isDigit(c[0]) || (c[0] == '-' || c[0] == '.' || c[0] == '+') && (len(c) == 1 || isDigit(c[1]) || c[1] == '.' || c[1]|0x20 == 'n' || c[1]|0x20 == 'i') {
		return true
	}
	switch string(bytes.ToLower(c)) {
	case "nan", "inf", "none", "n/a", "no log", "null":
		return true
	}
	return false
}

func (r *Reader) cell(d *draft, info *nameInfo, c []byte) {
	c = bytes.TrimRight(c, ":")
	r.toks = r.cat.lex.tokenise(r.toks[:0], c)
	t := soleNumber(r.toks)
	if t == nil {
		return
	}
	total := 0.0
	if len(r.toks) >= 3 && r.toks[1].punct == '/' {
		total = r.toks[2].val
	}
	switch {
	case info.counter != noCounter:
		d.count(info, t.val, total, -1, -1)
		return
	case info.standing == rejected, info.standing == label:
		return
	}
	at := bytes.Index(r.text, c) // cells are cut from a copy when the table is drawn
	from := bytesOffset(r.text, c, at)
	d.fields = append(d.fields, draftField{
		info: info, name: info.name, start: from + t.start, end: from + t.end, val: t.val, digits: t.digits, null: t.null,
	})
}

// bytesOffset finds where a cell stands in the line: the cells are slices of
// it, or of a copy of it in which glyphs became bars.
func bytesOffset(line, cell []byte, at int) int32 {
	if cap(line) >= cap(cell) && len(cell) > 0 {
		if off := cap(line) - cap(cell); off+len(cell) <= len(line) && &line[off] == &cell[0] {
			return int32(off)
		}
	}
	return int32(max(at, 0))
}

// emitRow emits a table's row; the rows of single classes are items.
func (r *Reader) emitRow(t *table, d *draft, name []byte) {
	d.end = len(r.text)
	if r.block.open && rowLike(r.text) {
		d.phase = r.head.phase // "Evaluation results for bbox:" stands above the table
	}
	item := false
	prefix := ""
	if name != nil && !bytes.EqualFold(name, []byte("all")) {
		prefix = Normalise(string(name)) + "_"
		item = !t.sets && !averageRow(prefix)
	}
	for i := range d.fields {
		if prefix != "" {
			d.fields[i].name = prefix + d.fields[i].info.name
		}
	}
	f := t.format
	rec := &r.rec
	*rec = Record{Fields: rec.Fields[:0], Format: f.id, Flush: f.flush || r.flushes(d), Phase: d.phase, Step: d.step, Epoch: d.epoch}
	rec.Offset, rec.End, rec.Line, rec.Time = r.place(d)
	r.inherit(rec, d, false)
	if t.label >= 0 && !rec.Epoch.Has {
		rec.Epoch = r.last // an evaluation below a training row
	}
	evalRecord := r.evalRecord(d, rec) || name != nil
	for i := range d.fields {
		r.field(rec, d, &d.fields[i], evalRecord)
		fd := &rec.Fields[len(rec.Fields)-1]
		if item && isQuality(fd.Kind) {
			fd.Role = evidence.Item
		}
		if prefix != "" {
			fd.Printed = string(name) + " " + fd.Printed // "macro avg f1-score", the header alone stands in every row
		}
	}
	f.apply(rec)
	rec.Process = closes(rec)
	d.reset(0)
	r.closeBlock()
	r.attach(rec)
}

func averageRow(prefix string) bool {
	switch prefix {
	case "macro_avg_", "weighted_avg_", "micro_avg_", "samples_avg_", "accuracy_", "avg_/_total_":
		return true
	}
	return false
}

// beforeBar is what stands before the progress bar at the end of a line.
func beforeBar(s []byte) []byte {
	i := bytes.Index(s, []byte("%|"))
	if i <= 0 {
		return s
	}
	if j := bytes.LastIndexByte(s[:i], ' '); j > 0 {
		return bytes.TrimRight(s[:j], " :")
	}
	return s
}
