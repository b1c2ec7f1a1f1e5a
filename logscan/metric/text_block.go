package metric

import (
	"bytes"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// header is what a line without values says about the lines below it.
type header struct {
	epoch, step Counter
	phase       Split
	line        int64 // on which the step stood
}

// block is a run of lines that were written as one record, each with one
// value or a few: the rows below "***** eval metrics *****", below
// "[step=1200,epoch=0]", below a trainer's "--> STEP: 50".
type block struct {
	open     bool
	counters bool // rows may hold the record's counters
	box      bool // a drawn table
	section  string
	known    int // fields of a drawn table that the lexicon knows
	strongs  int
	rows     int
	begin    int64
	line     int64
	rec      Record
}

// take adds a row to the block.
func (b *block) take(row *Record) {
	if b.rows == 0 {
		fields := append(b.rec.Fields[:0], row.Fields...)
		b.rec = *row
		b.rec.Fields = fields
		b.rec.Offset, b.rec.Line = b.begin, b.line
	} else {
		b.rec.Fields = append(b.rec.Fields, row.Fields...)
		b.rec.End = row.End
		b.rec.Flush = b.rec.Flush && row.Flush
	}
	b.rows++
}

// maxRows bounds a block: past it the rows are emitted and a new record begins.
const maxRows = 256

// openHeader keeps the counters of a line that has nothing else.
func (r *Reader) openHeader(d *draft) {
	if r.block.open && r.block.counters && rowLike(r.text) {
		r.headCounters(d)
		return
	}
	r.closeBlock()
	r.head.step, r.head.line = d.step, r.line.No
	r.head.phase = d.phase
	if d.epoch.Has {
		r.head.epoch = d.epoch
		r.fit = kerasFit{open: true}
	}
	r.openBlock(false)
}

func (r *Reader) headCounters(d *draft) {
	if d.epoch.Has {
		r.head.epoch = d.epoch
		r.fit = kerasFit{open: true}
	}
	if d.step.Has {
		r.head.step = d.step
	}
}

func (r *Reader) openBlock(counters bool) {
	r.block.open, r.block.counters, r.block.rows = true, counters, 0
	r.block.box, r.block.section, r.block.known, r.block.strongs = false, "", 0, 0
	r.block.begin, r.block.line = r.line.Offset, r.line.No
}

func (r *Reader) closeBlock() {
	if !r.block.open {
		return
	}
	r.block.open = false
	if r.block.rows == 0 {
		return
	}
	r.block.rows = 0
	rec := &r.block.rec
	if b := &r.block; b.box && b.strongs == 0 && (b.known == 0 || !r.head.step.Has) {
		return
	}
	if r.block.counters {
		rec.Step, rec.Epoch = r.head.step, r.head.epoch
		r.head.step, r.head.epoch = Counter{}, Counter{}
	}
	if r.block.counters && !r.block.box && rec.Phase == SplitTrain {
		wholeRun(rec)
	}
	r.samples(rec)
	rec.Process = closes(rec)
	r.attach(rec)
}

// isRow: the draft is one line of the open block.
func (r *Reader) isRow(d *draft) bool {
	if d.bar || !rowLike(r.text) || !r.block.counters && (d.step.Has || d.epoch.Has) {
		return false
	}
	if r.block.rows >= maxRows {
		return false
	}
	for i := range d.fields {
		if d.fields[i].info.standing >= weak {
			return true
		}
	}
	return bytes.IndexByte(r.text, '=') > 0 || bytes.IndexByte(r.text, ':') > 0
}

// rowLike: rows of a block are indented, or stand between rules.
func rowLike(s []byte) bool {
	return len(s) > 0 && (s[0] == ' ' || s[0] == '\t' || s[0] == '|')
}

// inherit gives a record the counters of the header above it.
func (r *Reader) inherit(rec *Record, d *draft, row bool) {
	h := &r.head
	if row {
		if rec.Phase == "" {
			rec.Phase, d.phase = h.phase, h.phase
		}
		if !r.block.counters {
			rec.Step, rec.Epoch = h.step, h.epoch
		}
		return
	}
	if h.step.Has && !rec.Step.Has && !rec.Epoch.Has && !d.bar && r.line.No-h.line <= maxBelowStep {
		rec.Step = h.step
		return
	}
	switch {
	case rec.Epoch.Has:
		if !d.object {
			r.last = rec.Epoch
			if h.epoch.Has && h.epoch.Value != rec.Epoch.Value {
				h.epoch = rec.Epoch // the header is of an epoch that is over
			}
		}
	case d.object, d.phase == SplitTest, rec.Step.Has && !d.positional && !h.epoch.Has:
	case all(d, SplitTest):
	case h.epoch.Has:
		rec.Epoch = h.epoch
	case r.last.Has && !rec.Step.Has && (d.phase == SplitVal || all(d, SplitVal)):
		rec.Epoch = r.last
	}
}

// maxBelowStep is how many lines below a bare "Step: 2300" are its values, where the trainer indents none.
const maxBelowStep = 4

// all: every value of the draft is of this split, by its own name.
func all(d *draft, split Split) bool {
	for i := range d.fields {
		if d.fields[i].info.split != split {
			return false
		}
	}
	return true
}

// wordsOnly reads a line without any number: a header, or what ends a block.
func (r *Reader) wordsOnly() {
	s := bytes.TrimSpace(r.text)
	if len(s) == 0 || len(s) > 400 {
		return
	}
	r.runningHeader(s)
	if phase, ok := r.metricsHeader(s); ok {
		r.closeBlock()
		r.head.phase, r.head.step, r.head.epoch = phase, Counter{}, Counter{}
		r.openBlock(true)
		return
	}
	if firstByte(s) == '|' && r.boxSection(s) {
		return
	}
	if r.header() {
		return
	}
	if r.block.open && r.endsBlock(s) {
		r.closeBlock()
	}
	switch {
	case len(s) >= 60:
	case s[len(s)-1] == ':':
		r.phaseHeader(string(s[:len(s)-1]))
	case bytes.HasPrefix(s, arrow): // Coqui's, indented as its rows are
		r.closeBlock()
		r.phaseHeader(string(s[len(arrow):]))
	}
}

// arrow begins a header: "--> EVAL PERFORMANCE".
var arrow = []byte("--> ")

// metricsHeader: "***** eval metrics *****", and what other trainers make of it.
func (r *Reader) metricsHeader(s []byte) (Split, bool) {
	if s[0] != '*' && s[0] != '=' && s[0] != '-' {
		return "", false
	}
	inner := strings.ToLower(strings.Trim(string(s), "*=-# "))
	if !strings.HasSuffix(inner, "metrics") && !strings.HasSuffix(inner, "results") && !strings.HasSuffix(inner, "results:") {
		return "", false
	}
	return r.cat.lex.splitOf(strings.Fields(inner), ""), true
}

// resultsOn begins the header of an evaluation, before the name of its data set.
const resultsOn = "Results on "

// phaseHeader: "Results on Test:", with indented values below.
func (r *Reader) phaseHeader(text string) {
	phase := r.cat.lex.splitOf(strings.Fields(text), "")
	if phase == "" && strings.HasPrefix(text, resultsOn) {
		phase = SplitVal // of a data set that is called otherwise
	}
	if phase == "" || len(strings.Fields(text)) > 4 {
		return
	}
	r.head.phase, r.head.step = phase, Counter{}
	r.openBlock(false)
}

// pending is a record whose step stands on a line that is still to come.
type pending struct {
	held bool
	rec  Record
}

// attach emits a record, and before it the one that waited for its step.
func (r *Reader) attach(rec *Record) {
	if r.later.held && rec.Step.Has {
		r.later.rec.Step = rec.Step
		r.flushPending()
	}
	r.emit(rec)
}

// hold keeps a record until the next one that has a step.
func (r *Reader) hold(rec *Record) {
	r.flushPending()
	r.later.held = true
	r.later.rec = *rec
	r.later.rec.Fields = slices.Clone(rec.Fields)
	r.later.rec.Process = false
}

func (r *Reader) flushPending() {
	if r.later.held {
		r.later.held = false
		r.emit(&r.later.rec)
	}
}

// endsBlock: a line that is no row. A drawn table's rules stand inside it too.
func (r *Reader) endsBlock(s []byte) bool {
	if r.block.rows == 0 && (s[0] == '-' || s[0] >= 0x80) {
		return false
	}
	return r.block.box || !rowLike(r.text)
}

// wholeRun: the block of training metrics that a trainer prints at its end is of the whole run.
func wholeRun(rec *Record) {
	for i := range rec.Fields {
		f := &rec.Fields[i]
		f.Window = evidence.WholeRun
		if isQuality(f.Kind) {
			f.Role = evidence.Final
		}
	}
}
