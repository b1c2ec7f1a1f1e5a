package metric

import (
	"bytes"
	"math"

	"github.com/trainvet/trainvet/logscan/evidence"
)

func absent(name string) Field {
	return Field{
		Name: name, Printed: name, Value: math.NaN(), Role: evidence.Series, Kind: evidence.KindLoss,
		Split: SplitTrain, Window: evidence.Instant, Absent: true,
	}
}

// byPattern tries the formats that have an expression. Their anchors are
// looked for first; an expression only runs on a line that holds its anchor.
func (r *Reader) byPattern() bool {
	mask := r.cat.formats.mayHold(r.text)
	if mask == 0 {
		return false
	}
	for i, f := range r.cat.formats.patterns {
		if mask&(1<<(i%32)) == 0 || !bytes.Contains(r.text, f.anchor) {
			continue
		}
		at := f.re.FindSubmatchIndex(r.text)
		if at == nil {
			continue
		}
		if r.matched(f, at) {
			return true
		}
	}
	return false
}

// matched makes a record of a match. A group "rest" is read by the pair
// scanner, with the counters that the expression found.
func (r *Reader) matched(f *format, at []int) bool {
	if f.ignore {
		return true
	}
	d := &r.d
	d.reset(0)
	d.phase = f.split
	rest := -1
	var good, n *int64
	for i, g := range f.groups {
		from, to := at[2*i], at[2*i+1]
		if g.name == "" || from < 0 {
			continue
		}
		switch g.name {
		case "rest":
			rest = from
			continue
		case "phase":
			d.phase = r.cat.lex.splitOf([]string{string(r.text[from:to])}, "")
			continue
		}
		r.toks = r.cat.lex.tokenise(r.toks[:0], r.text[from:to])
		t := soleNumber(r.toks)
		if t == nil {
			continue
		}
		if g.field == "" {
			v := int64(t.val)
			switch g.name {
			case "good":
				good = &v
			case "n":
				n = &v
			default:
				d.counter(g.name, t.val)
			}
			continue
		}
		info := r.resolve([]byte(g.field), '=')
		d.fields = append(d.fields, draftField{
			info: info, name: info.name, start: int32(from) + t.start, end: int32(from) + t.end, val: t.val, digits: t.digits, null: t.null,
		})
	}
	if rest >= 0 {
		r.generic(rest)
		return true
	}
	if len(d.fields) == 0 {
		d.reset(0)
		return false
	}
	d.fields[0].good, d.fields[0].n = good, n
	d.end = len(r.text)
	r.emitMatch(f, d)
	d.reset(0)
	return true
}

func soleNumber(toks []token) *token {
	for i := range toks {
		if toks[i].kind == tokNum {
			return &toks[i]
		}
	}
	return nil
}

// counter notes a counter that an expression names.
func (d *draft) counter(name string, v float64) {
	d.counted = true
	switch name {
	case "step":
		d.step.Has, d.step.Name, d.step.Value, d.stepRank = true, "step", v, 7
	case "total":
		d.step.Total = v
	case "epoch":
		d.epoch.Has, d.epoch.Name, d.epoch.Value, d.epochRank = true, "epoch", v, 7
	case "epochs":
		d.epoch.Total = v
	}
}

func (r *Reader) emitMatch(f *format, d *draft) {
	rec := &r.rec
	*rec = Record{Fields: rec.Fields[:0], Format: f.id, Flush: f.flush || r.flushes(d), Phase: d.phase, Step: d.step, Epoch: d.epoch}
	rec.Offset, rec.End, rec.Line, rec.Time = r.place(d)
	r.inherit(rec, d, false)
	evalRecord := r.evalRecord(d, rec)
	for i := range d.fields {
		r.field(rec, d, &d.fields[i], evalRecord)
	}
	f.apply(rec)
	rec.Process = closes(rec)
	r.closeBlock()
	if f.next && !rec.Step.Has {
		r.hold(rec)
		return
	}
	r.attach(rec)
}
