package metric

import "bytes"

// A log prints the same line thousands of times with other numbers in it. A
// template is such a line once read: the bytes between its numbers, and the
// draft that they led to. A line that differs from it in nothing but numbers
// of the same form is read by comparing and filling in; what it gives is, by
// construction, what the scanner would give, since the scanner looks at a
// number's form and never at its value. Lines that differ in more are scanned.

// templates are the lines that repeat, most recent first.
type templates struct {
	list    []*template
	seen    [256]uint32 // fingerprints of scanned lines: one is learned when it comes again
	count   int         // drafts that the scanned line gave
	scans   int         // lines that fitted none
	learned int         // templates made of them
	refused bool
	varies  bool // what became of the scanned line its digits decided
	off     bool // for tests: the scanner reads every line
	draft   draft
	format  *format
}

// maxTemplates is how many shapes of lines are kept. Where each of many hosts
// begins its lines with its name, the shapes are as many times those of one host;
// most of the others are told apart by their ends, for a comparison each.
const maxTemplates = 96

// slotKind is what may stand between two literals.
type slotKind uint8

const (
	slotNumber slotKind = iota
	slotClock           // 08:31, of a bar's elapsed time
	slotBar             // the drawn part of a progress bar
	slotHex             // 0x7f3c, 1b000: an address, a bus, a hash
)

type slot struct {
	kind    slotKind
	whole   bool
	percent bool
	unit    int32 // bytes of the unit glued to the number
	start   int32
	tok     token
}

type template struct {
	text  []byte
	edges edges    // of the lines that may fit
	lits  [][]byte // one more than slots
	slots []slot
	phase Split // of the logger
	quiet bool  // the line gives nothing
	draft draft
	known *format
	at    [4]int // slots of step, its total, epoch, its total; -1: none
	field []int  // slot of each field
	tail  int32  // bytes behind the draft
}

// edges are the first and the last bytes of a line, as far as the masks say.
type edges struct{ first, firstMask, last, lastMask uint64 }

// edgesOf takes up to eight bytes of each end.
func edgesOf(first, last []byte) edges {
	var e edges
	for i, c := range first[:min(len(first), 8)] {
		e.first |= uint64(c) << (8 * i)
		e.firstMask |= 0xFF << (8 * i)
	}
	for i := range min(len(last), 8) {
		e.last |= uint64(last[len(last)-1-i]) << (8 * i)
		e.lastMask |= 0xFF << (8 * i)
	}
	return e
}

// outerEdges are those before its first number and behind its last, as
// far as they hold no run of blanks, which may be longer elsewhere.
func (t *template) outerEdges() edges {
	first, _, _ := bytes.Cut(t.lits[0], blankRun)
	last := t.lits[len(t.lits)-1]
	if i := bytes.LastIndex(last, blankRun); i >= 0 {
		last = last[i+len(blankRun):]
	}
	return edgesOf(first, last)
}

var blankRun = []byte("  ")

func (e *edges) hold(o *edges) bool {
	return e.firstMask&o.firstMask == o.firstMask && e.first&o.firstMask == o.first &&
		e.lastMask&o.lastMask == o.lastMask && e.last&o.lastMask == o.last
}

// known reads the line by a template, if it fits one.
func (r *Reader) known() bool {
	ts := &r.temps
	line := edgesOf(r.text, r.text)
	for i, t := range ts.list {
		if !line.hold(&t.edges) || t.phase != r.d.phase || t.quiet && r.block.open {
			continue
		}
		if !r.fits(t) {
			continue
		}
		if i > 0 {
			copy(ts.list[1:i+1], ts.list[:i])
			ts.list[0] = t
		}
		if !t.quiet {
			r.fill(t)
		}
		return true
	}
	return false
}

// fits compares the line with the template and reads its numbers.
func (r *Reader) fits(t *template) bool {
	s := r.text
	pos, ok := literal(s, 0, t.lits[0])
	if !ok {
		return false
	}
	for i := range t.slots {
		sl := &t.slots[i]
		switch sl.kind {
		case slotNumber:
			if pos >= len(s) || !isDigit(s[pos]) && !numberStarts(s, pos) {
				return false
			}
			sl.tok = r.cat.lex.number(s, pos)
			n := &sl.tok
			if n.kind != tokNum || n.whole != sl.whole || n.percent != sl.percent || n.unitEnd-n.end != sl.unit || n.val-n.val != 0 {
				return false
			}
			pos = int(n.unitEnd)
		case slotHex:
			if pos >= len(s) || !isDigit(s[pos]) {
				return false
			}
			n := r.cat.lex.number(s, pos)
			if n.kind != tokJunk || !hexOnly(s[pos:n.unitEnd]) {
				return false
			}
			pos = int(n.unitEnd)
		default:
			if pos, ok = drawn(s, pos, sl.kind); !ok {
				return false
			}
		}
		if pos, ok = literal(s, pos, t.lits[i+1]); !ok {
			return false
		}
	}
	return pos == len(s)
}

// drawn skips a clock or the drawn part of a bar.
func drawn(s []byte, pos int, kind slotKind) (int, bool) {
	from := pos
	if kind == slotClock {
		for pos < len(s) && (isDigit(s[pos]) || s[pos] == ':') {
			pos++
		}
		return pos, pos > from
	}
	i := bytes.IndexByte(s[pos:], '|')
	return pos + i, i >= 0 && i < 1024
}

// literal compares the bytes at pos; runs of two and more blanks are alike.
func literal(s []byte, pos int, lit []byte) (int, bool) {
	if len(s)-pos >= len(lit) && string(s[pos:pos+len(lit)]) == string(lit) {
		end := pos + len(lit)
		if len(lit) < 2 || end >= len(s) || s[end] != ' ' || lit[len(lit)-1] != ' ' {
			return end, true
		}
	}
	j := 0
	for j < len(lit) {
		if pos >= len(s) || s[pos] != lit[j] {
			return 0, false
		}
		if lit[j] != ' ' || j+1 >= len(lit) || lit[j+1] != ' ' {
			pos++
			j++
			continue
		}
		from := pos
		for j < len(lit) && lit[j] == ' ' {
			j++
		}
		for pos < len(s) && s[pos] == ' ' {
			pos++
		}
		if pos-from < 2 {
			return 0, false
		}
	}
	return pos, true
}

// fill puts the line's numbers into the template's draft and goes on as the
// scanner does.
func (r *Reader) fill(t *template) {
	d := &r.d
	fields := append(d.fields[:0], t.draft.fields...)
	*d = t.draft
	d.fields = fields
	d.known = t.known
	d.end = len(r.text) - int(t.tail)
	for i, c := range [...]*float64{&d.step.Value, &d.step.Total, &d.epoch.Value, &d.epoch.Total} {
		if t.at[i] >= 0 {
			*c = t.slots[t.at[i]].tok.val
		}
	}
	for i := range d.fields {
		f, n := &d.fields[i], &t.slots[t.field[i]].tok
		f.end = n.end + (f.end - t.slots[t.field[i]].start)
		f.start, f.digits, f.val = n.start, n.digits, n.val
		f.convert()
	}
	r.finish(d)
	d.reset(0)
}

// scanned remembers the draft that the scanner made of the line.
func (ts *templates) scanned(d *draft) {
	if d.empty() {
		return
	}
	if ts.count++; ts.count > 1 {
		return
	}
	fields := append(ts.draft.fields[:0], d.fields...)
	ts.draft = *d
	ts.draft.fields = fields
}

// pays: lines of ever new words (addresses, names) look alike to again and fit
// no template. Making one for each took half of the time that such a log took;
// so after the first hundred only one in 64 of the lines that fit none.
func (ts *templates) pays() bool { return ts.learned < 100+ts.scans/64 }

// learn makes a template of a scanned line that came the second time.
func (r *Reader) learn(phase Split) {
	ts := &r.temps
	ts.scans++
	if ts.off || ts.varies || ts.count > 1 || len(r.text) > 2048 || !ts.pays() || !r.again() {
		return
	}
	ts.learned++
	t := &template{text: bytes.Clone(r.text), phase: phase, quiet: ts.count == 0 || ts.refused, known: ts.format}
	if !t.cut(r.toks) {
		return
	}
	if !t.quiet && !t.bind(&ts.draft) {
		return
	}
	if len(ts.list) < maxTemplates {
		ts.list = append(ts.list, nil)
	}
	copy(ts.list[1:], ts.list)
	t.edges = t.outerEdges()
	ts.list[0] = t
}

// again: a line of this build was scanned before.
func (r *Reader) again() bool {
	h := uint32(2166136261)
	for i := range r.toks {
		t := &r.toks[i]
		v := uint32(t.kind)<<8 | uint32(t.punct)
		if t.kind == tokWord {
			v |= uint32(t.end-t.start)<<16 | uint32(r.text[t.start])<<24
		}
		h = (h ^ v) * 16777619
	}
	e := &r.temps.seen[h%uint32(len(r.temps.seen))]
	if *e == h {
		return true
	}
	*e = h
	return false
}

// cut divides the line into literals and slots.
func (t *template) cut(toks []token) bool {
	pos := int32(0)
	add := func(s slot, end int32) {
		t.lits = append(t.lits, t.text[pos:s.start])
		t.slots = append(t.slots, s)
		pos = end
	}
	for i := 0; i < len(toks); i++ {
		n := &toks[i]
		switch {
		case n.kind == tokNum && (isDigit(t.text[n.start]) || isDigit(t.text[n.end-1])):
			add(slot{kind: slotNumber, whole: n.whole, percent: n.percent, unit: n.unitEnd - n.end, start: n.start, tok: *n}, n.unitEnd)
			if n.percent && i+1 < len(toks) && toks[i+1].punct == '|' {
				end := bytes.IndexByte(t.text[toks[i+1].end:], '|')
				if end < 0 {
					return false
				}
				add(slot{kind: slotBar, start: toks[i+1].end}, toks[i+1].end+int32(end))
				for i+1 < len(toks) && toks[i+1].start < pos {
					i++
				}
			}
		case n.kind == tokJunk && clockOnly(t.text[n.start:n.unitEnd]):
			add(slot{kind: slotClock, start: n.start}, n.unitEnd)
		case n.kind == tokJunk && isDigit(t.text[n.start]) && hexOnly(t.text[n.start:n.unitEnd]):
			add(slot{kind: slotHex, start: n.start}, n.unitEnd)
		case n.kind == tokPunct && n.punct == '[' && i+1 < len(toks) && (toks[i+1].punct == '=' || toks[i+1].punct == '>'):
			return false // a Keras bar is drawn anew on each line
		}
	}
	t.lits = append(t.lits, t.text[pos:])
	return true
}

func clockOnly(b []byte) bool {
	for _, c := range b {
		if !isDigit(c) && c != ':' {
			return false
		}
	}
	return true
}

// hexOnly: hexadecimal digits, with or without 0x. The scanner passes over such a
// token whatever it is, since no name and no clock can be made of it.
func hexOnly(b []byte) bool {
	for i, c := range b {
		if !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'f') && !(i == 1 && c == 'x' && b[0] == '0') {
			return false
		}
	}
	return true
}

// bind finds the slot of every counter and field.
func (t *template) bind(d *draft) bool {
	if d.begin != 0 {
		return false
	}
	for i, at := range d.at {
		if t.at[i] = -1; at > 0 {
			if t.at[i] = t.slotAt(at - 1); t.at[i] < 0 || t.slots[t.at[i]].unit > 0 {
				return false
			}
		}
	}
	if d.step.Has && t.at[0] < 0 || d.epoch.Has && t.at[2] < 0 {
		return false
	}
	for i := range d.fields {
		f := &d.fields[i]
		n := t.slotAt(f.start)
		if n < 0 || f.good != nil || f.null {
			return false
		}
		sl := &t.slots[n]
		sl.start = sl.tok.end // from here on what a field's end is measured against
		t.field = append(t.field, n)
	}
	t.draft = *d
	t.draft.fields = append([]draftField(nil), d.fields...)
	t.tail = int32(len(t.text) - d.end)
	return true
}

func (t *template) slotAt(start int32) int {
	for i := range t.slots {
		if t.slots[i].kind == slotNumber && t.slots[i].tok.start == start {
			return i
		}
	}
	return -1
}
