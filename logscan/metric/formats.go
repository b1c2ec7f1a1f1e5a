package metric

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// format is one row of formats.tsv.
type format struct {
	id, framework string
	anchor        []byte
	re            *regexp.Regexp // nil: a pair format, read by the generic scanner
	groups        []group
	fields        []string // to which role, split and window apply; empty: all
	role          evidence.Role
	split         Split
	flush         bool
	window        evidence.Window
	ignore        bool   // its lines are no records
	next          bool   // its step stands on the next record
	always        string // the loss that every line prints: its absence says something
	with          string // a metric that the line must hold for that
	unless        string // a count that explains its absence when it is not 0
	absent        string // what is printed where there is no value
}

// group is a named group of a format's expression.
type group struct {
	name  string
	field string // metric name; empty: a counter or the rest of the line
}

// formats is formats.tsv, by how a row is tried.
type formats struct {
	rows     []*format
	patterns []*format         // with an expression
	pairs    []*format         // only named and qualified
	grams    [gramSlots]uint32 // two bytes of an anchor: bits of the patterns that have it
	kv       format
	tqdm     format
	keras    format
	rowsOf   format // rows below a header of names
	box      format // drawn tables of names and values
}

func (f *formats) index() {
	f.patterns, f.pairs = nil, nil
	for _, row := range f.rows {
		if row.re != nil {
			f.patterns = append(f.patterns, row)
		} else {
			f.pairs = append(f.pairs, row)
		}
	}
	for i, row := range f.patterns {
		a, b := rareGram(row.anchor)
		f.grams[gramSlot(a, b)] |= 1 << (i % 32)
	}
	f.kv = format{id: "kv"}
	f.tqdm = format{id: "tqdm", flush: true}
	f.keras = format{id: "keras", flush: true}
	f.rowsOf = format{id: "table"}
	f.box = format{id: "box"}
}

// add takes one row: id, framework, anchor, pattern, fields, role, split,
// flush, window, note.
func (f *formats) add(cells []string) error {
	cells = append(slices.Clone(cells), "", "", "", "", "", "", "", "", "")
	row := &format{
		id: cells[0], framework: cells[1], anchor: []byte(cells[2]), role: evidence.Role(cells[5]), split: cells[6],
		flush: cells[7] == "yes", window: evidence.Window(cells[8]),
	}
	if len(row.anchor) < 2 {
		return fmt.Errorf("format %s: an anchor of 2 bytes or more is needed, to find its lines", row.id)
	}
	renamed := map[string]string{}
	for _, w := range strings.Fields(cells[4]) {
		if from, to, ok := strings.Cut(w, "="); ok {
			renamed[from] = to
		} else if w != "*" {
			row.fields = append(row.fields, w)
		}
	}
	for _, w := range strings.Fields(cells[9]) {
		switch w {
		case "next":
			row.next = true
		case "ignore":
			row.ignore = true
		}
		if v, ok := strings.CutPrefix(w, "with="); ok {
			row.with = v
		}
		if v, ok := strings.CutPrefix(w, "unless="); ok {
			row.unless = v
		}
		if v, ok := strings.CutPrefix(w, "absent="); ok {
			row.absent = v
		}
		if name, ok := strings.CutPrefix(w, "always="); ok {
			row.always = name
		}
	}
	if err := row.compile(cells[3], renamed); err != nil {
		return err
	}
	f.rows = slices.DeleteFunc(f.rows, func(o *format) bool { return o.id == row.id })
	f.rows = append(f.rows, row)
	return nil
}

func (f *format) compile(pattern string, renamed map[string]string) error {
	if pattern == "" || pattern == "kv" {
		return nil
	}
	expr, ok := strings.CutPrefix(pattern, "re:")
	if !ok {
		return fmt.Errorf("format %s: pattern %q is neither kv nor re:EXPRESSION", f.id, pattern)
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return fmt.Errorf("format %s: %w", f.id, err)
	}
	if bytes.ContainsAny(f.anchor, "0123456789") {
		return fmt.Errorf("format %s: a digit in an anchor: repeated lines are told by what is no number", f.id)
	}
	f.re = re
	for _, name := range re.SubexpNames() {
		g := group{name: name}
		switch name {
		case "", "step", "epoch", "total", "epochs", "rest", "good", "n", "phase":
		default:
			if g.field = name; renamed[name] != "" {
				g.field = renamed[name]
			}
		}
		f.groups = append(f.groups, g)
	}
	return nil
}

// apply puts what the row says on the record's values.
func (f *format) apply(rec *Record) {
	if f.role == "" && f.split == "" && f.window == "" && f.always == "" && f.absent == "" {
		return
	}
	for i := range rec.Fields {
		fd := &rec.Fields[i]
		if len(f.fields) > 0 && !slices.Contains(f.fields, fd.Name) && !slices.Contains(f.fields, listName(fd.Name)) {
			continue
		}
		listed := len(f.fields) > 0
		if f.split != "" && fd.Split == "" {
			fd.Split = f.split
		}
		if f.role != "" && (listed || isQuality(fd.Kind)) {
			fd.Role = f.role
		}
		if f.window != "" && fd.Window == evidence.Instant && (listed || f.window == evidence.WholeRun || isQuality(fd.Kind) && fd.Role == evidence.Series) {
			fd.Window = f.window
		}
		if f.absent != "" && (fd.Text == f.absent || fd.Text == f.absent+".000") {
			fd.Placeholder, fd.Role = true, evidence.Item // no value, and nobody quotes it
		}
	}
	if f.always != "" && !hasLoss(rec) && (f.with == "" || hasField(rec, f.with)) && !counts(rec, f.unless) {
		rec.Fields = append(rec.Fields, absent(f.always))
	}
}

// listName is what a list is called whose items are name_0, name_1.
func listName(item string) string {
	return strings.TrimSuffix(strings.TrimRight(item, "0123456789"), "_")
}

func hasField(rec *Record, name string) bool {
	for i := range rec.Fields {
		if rec.Fields[i].Name == name {
			return true
		}
	}
	return false
}

// counts reports whether the record holds a count that is not 0.
func counts(rec *Record, name string) bool {
	for i := range rec.Fields {
		if rec.Fields[i].Name == name {
			return rec.Fields[i].Value > 0
		}
	}
	return false
}

func hasLoss(rec *Record) bool {
	for i := range rec.Fields {
		if rec.Fields[i].Kind == evidence.KindLoss {
			return true
		}
	}
	return false
}

// formatOf finds the row that qualifies a pair record. Records of one shape
// have one format, so the rows are tried once per shape.
func (r *Reader) formatOf(d *draft) *format {
	const prime = 1099511628211
	h := uint64(14695981039346656037)
	for i := range d.fields {
		h = (h ^ uint64(d.fields[i].info.cacheID)) * prime
	}
	h = (h ^ uint64(d.stepRank)<<8 ^ uint64(d.epochRank)<<16) * prime
	if d.bar {
		h = (h ^ 1) * prime
	}
	if d.keras {
		h = (h ^ 2) * prime
	}
	if f, ok := r.forms[h]; ok {
		return f
	}
	if len(r.forms) >= maxNames {
		clear(r.forms)
	}
	f := r.cat.formats.find(r.text[d.begin:max(d.begin, d.end)], d)
	r.forms[h] = f
	return f
}

func (f *formats) find(text []byte, d *draft) *format {
	for _, row := range f.pairs {
		if bytes.Contains(text, row.anchor) {
			return row
		}
	}
	switch {
	case d.keras:
		return &f.keras
	case d.bar:
		return &f.tqdm
	}
	return &f.kv
}

// gramSlots is the size of the table in which a line's pairs of bytes are
// looked up: one pass says which anchors a line may hold.
const gramSlots = 4096

func gramSlot(a, b byte) int { return (int(a)*67 + int(b)) & (gramSlots - 1) }

// rareGram picks the two bytes of an anchor that other lines hold least.
func rareGram(anchor []byte) (a, b byte) {
	best := -1
	for i := 0; i+1 < len(anchor); i++ {
		score := 0
		for _, c := range anchor[i : i+2] {
			switch {
			case c == ' ':
			case c >= 'a' && c <= 'z':
				score++
			case c >= 'A' && c <= 'Z':
				score += 3
			default:
				score += 2
			}
		}
		if score > best {
			best, a, b = score, anchor[i], anchor[i+1]
		}
	}
	return a, b
}

// mayHold gives the bits of the patterns whose anchors the line may hold.
func (f *formats) mayHold(s []byte) uint32 {
	mask := uint32(0)
	for i := 1; i < len(s); i++ {
		mask |= f.grams[gramSlot(s[i-1], s[i])]
	}
	return mask
}
