package metric

import "bytes"

// boxRow reads "| name | value |" of a drawn table, or the section above such
// rows ("| rollout/ | |"); the rows of one table are one record.
func (r *Reader) boxRow(s []byte) bool {
	cells := r.tabs.cut(s, '|', false)
	if len(cells) < 2 || len(cells) > 5 || len(cells[0]) == 0 || isDigit(cells[0][0]) {
		return false
	}
	values := 0
	for _, c := range cells[1:] {
		if len(c) == 0 || !valueCell(c) {
			return false
		}
		values++
	}
	if !r.block.open || !r.block.box {
		r.closeBlock()
		r.head.step, r.head.phase = Counter{}, ""
		r.openBlock(true)
		r.block.box, r.block.section = true, ""
	}
	name := cells[0]
	if r.block.section != "" && bytes.IndexByte(name, '/') < 0 {
		name = append([]byte(r.block.section), name...)
	}
	info := r.resolve(name, '=')
	d := &r.d
	d.reset(0)
	for _, c := range cells[1:] {
		r.cell(d, info, c)
	}
	if values > 1 {
		for i := range d.fields {
			d.fields[i].name = r.item(info, i)
		}
	}
	d.end = len(r.text)
	if len(d.fields) == 0 {
		r.headCounters(d)
		return true
	}
	r.rowOf(d)
	return true
}

// rowOf puts a draft into the open block.
func (r *Reader) rowOf(d *draft) {
	rec := &r.rec
	*rec = Record{Fields: rec.Fields[:0], Format: r.cat.formats.box.id, Flush: r.flushes(d), Phase: d.phase}
	rec.Offset, rec.End, rec.Line, rec.Time = r.place(d)
	for i := range d.fields {
		if d.fields[i].info.standing >= weak {
			r.block.known++
		}
		if d.fields[i].info.standing == strong {
			r.block.strongs++
		}
		r.field(rec, d, &d.fields[i], r.head.phase != "")
	}
	d.reset(0)
	r.block.take(rec)
}

// boxSection: "| rollout/ |  |" names what the rows below belong to.
func (r *Reader) boxSection(s []byte) bool {
	cells := r.tabs.cut(s, '|', false)
	if len(cells) != 2 || len(cells[1]) != 0 || len(cells[0]) < 2 || cells[0][len(cells[0])-1] != '/' {
		return false
	}
	if !r.block.open || !r.block.box {
		r.closeBlock()
		r.head.step, r.head.phase = Counter{}, ""
		r.openBlock(true)
		r.block.box = true
	}
	r.block.section = string(cells[0])
	return true
}
