package metric

import (
	"bytes"
	"math"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// finish decides whether a draft is a record of metrics, and emits it.
func (r *Reader) finish(d *draft) {
	if d.known == nil {
		r.temps.scanned(d)
	}
	if len(d.fields) == 0 {
		r.bare(d)
		return
	}
	row := r.block.open && r.isRow(d)
	f := d.known
	if f == nil {
		if !row && !r.accept(d) {
			r.temps.refused = true
			return
		}
		f = r.formatOf(d)
		r.temps.format = f
	}
	r.emitted = true
	if f.ignore {
		return
	}
	if d.keras {
		r.fit.take(d)
	}
	rec := &r.rec
	*rec = Record{Fields: rec.Fields[:0], Format: f.id, Flush: f.flush || r.flushes(d), Phase: d.phase}
	rec.Offset, rec.End, rec.Line, rec.Time = r.place(d)
	rec.Step, rec.Epoch = d.step, d.epoch
	r.inherit(rec, d, row)
	rec.EvalBar = d.positional && (d.phase == SplitVal || d.phase == SplitTest)
	evalRecord := r.evalRecord(d, rec)
	for i := range d.fields {
		r.field(rec, d, &d.fields[i], evalRecord)
	}
	f.apply(rec)
	r.samples(rec)
	rec.Process = closes(rec)
	if row {
		r.block.take(rec)
		return
	}
	r.closeBlock()
	r.attach(rec)
}

// bare is a record with counters and no values: a header for what follows, or an evaluation's bar.
func (r *Reader) bare(d *draft) {
	if !d.step.Has && !d.epoch.Has {
		return
	}
	if d.bar && d.positional && (d.phase == SplitVal || d.phase == SplitTest) && !d.foreign {
		rec := &r.rec
		*rec = Record{Fields: rec.Fields[:0], Format: "tqdm", Flush: true, Phase: d.phase, EvalBar: true, Step: d.step, Epoch: d.epoch}
		rec.Offset, rec.End, rec.Line, rec.Time = r.place(d)
		r.emit(rec)
		return
	}
	if d.bar || d.foreign || d.antis > 0 || d.begin > 0 {
		return
	}
	r.emitted = true
	r.openHeader(d)
}

// proseWords: a line with more words than this beside its values' names, and
// without a counter, tells about metrics and is none.
const proseWords = 12

// accept: prose and settings hold numbers too. A record has a value that only
// metrics have, or a counter beside one that both have.
func (r *Reader) accept(d *draft) bool {
	strongs, weaks, known := 0, 0, 0
	for i := range d.fields {
		f := &d.fields[i]
		standing := f.info.standing
		if f.good != nil && f.info.kind == evidence.KindAccuracy {
			standing = strong // "30/37 correct"
		}
		if standing == strong && len(f.info.name) <= 3 && !r.decimal(f) {
			standing = weak // "f1: 4" is a key, a file, a register
		}
		switch standing {
		case strong:
			strongs++
			known++
		case weak:
			if !f.info.common || r.decimal(f) {
				weaks++
			}
			known++
		}
	}
	counters := d.counted && (d.step.Has || d.epoch.Has)
	if !counters && d.words > proseWords+4*len(d.fields) {
		return false
	}
	switch {
	case d.foreign && strongs == 0:
		return false
	case d.bar && strongs == 0:
		return counters && (r.training(d) || known == len(d.fields) && (d.epoch.Has || d.phase != ""))
	case strongs > 0:
		return d.antis <= 2*(strongs+weaks)+2
	}
	return weaks > 0 && counters && d.antis <= weaks || weaks > 0 && known == len(d.fields) && r.alone(d)
}

// fineDigits: settings have fewer.
const fineDigits = 4

// alone: a line that holds nothing but scores, though their names are words of
// prose and of settings. One of them needs a name under which no setting holds a
// fraction ("precision: 16" is one, "precision: 0.81" is none), or so many digits
// as nobody sets.
func (r *Reader) alone(d *draft) bool {
	named, words := 0, 0
	for i := range d.fields {
		f := &d.fields[i]
		if k := f.info.kind; !isQuality(k) || !f.info.alone && k != evidence.KindAccuracy && k != evidence.KindError || !f.info.common || !r.fraction(f) {
			return false
		}
		if f.info.alone {
			named++
		}
		words += 1 + strings.Count(f.info.printed, " ")
	}
	if d.bar || d.object && named == 0 || d.antis > 0 || d.words != words {
		return false
	}
	if named > 0 || len(d.fields) > 1 {
		return true
	}
	r.temps.varies = true
	return d.fields[0].digits >= fineDigits
}

// fraction: the value has a point, and no exponent: tolerances are written so.
func (r *Reader) fraction(f *draftField) bool {
	text := r.text[f.start:f.end]
	return bytes.IndexByte(text, '.') >= 0 && !bytes.ContainsAny(text, "eEnN")
}

// decimal: a word that prose uses, with a whole number behind it, is prose: "error 39".
func (r *Reader) decimal(f *draftField) bool {
	if f.null || f.good != nil {
		return true
	}
	for _, c := range r.text[f.start:f.end] {
		switch c {
		case '.', 'e', 'E', '%', 'n', 'N':
			return true
		}
	}
	return false
}

// training: the bar shows something that only an optimizer has.
func (r *Reader) training(d *draft) bool {
	for i := range d.fields {
		switch in := d.fields[i].info; in.kind {
		case evidence.KindRate, evidence.KindNorm, evidence.KindScale:
			return true
		}
	}
	return false
}

func (r *Reader) evalRecord(d *draft, rec *Record) bool {
	if d.phase == SplitVal || d.phase == SplitTest {
		return true
	}
	if rec.Step.Has || d.phase == SplitTrain {
		return false
	}
	for i := range d.fields {
		if in := d.fields[i].info; in.kind == evidence.KindLoss && in.split != SplitVal && in.split != SplitTest ||
			in.kind == evidence.KindRate || in.kind == evidence.KindNorm {
			return false
		}
	}
	return true
}

// field turns a draft's value into a Field of the record.
func (r *Reader) field(rec *Record, d *draft, df *draftField, evalRecord bool) {
	in := df.info
	f := Field{
		Name: df.name, Printed: in.printed, Value: df.val, Text: r.string()[df.start:df.end], Digits: int(df.digits),
		Kind: in.kind, Split: in.split, Placeholder: df.null, Samples: df.n, Good: df.good,
	}
	if df.digits > exactDigits && df.factor == 0 && df.good == nil {
		f.Value = slowFloat(f.Text)
	}
	if f.Split == "" {
		f.Split = d.phase
	}
	f.Role = deriveRole(in, f.Split, evalRecord)
	f.Window = windowOf(rec, d, in, f.Role)
	r.averaged(rec, d, df, &f)
	if f.Kind == evidence.KindStepTime && (f.Split == SplitVal || f.Split == SplitTest) {
		f.Kind = evidence.KindSpeed // no step of training
	}
	if d.placeholderBar && d.bar && f.Name == "loss" && f.Value != f.Value {
		f.Placeholder = true
	}
	rec.Fields = append(rec.Fields, f)
}

func windowOf(rec *Record, d *draft, in *nameInfo, role evidence.Role) evidence.Window {
	switch {
	case in.window == evidence.Running && (role != evidence.Series || !rec.Step.Has):
		return evidence.Instant
	case in.window != "":
		return in.window
	case d.keras && role == evidence.Series:
		if rec.Step.Total > 0 && rec.Step.Value == rec.Step.Total {
			return evidence.Epoch
		}
		return evidence.Running
	}
	return evidence.Instant
}

// averaged names "value (average)": in training the value is the metric, in
// an evaluation the average is, the value being one batch's.
func (r *Reader) averaged(rec *Record, d *draft, df *draftField, f *Field) {
	eval := d.phase == SplitVal || d.phase == SplitTest
	switch {
	case df.average && !eval:
		f.Name = r.suffixed(df.info, "_avg")
		f.Window = evidence.Running
	case df.average:
		f.Window = evidence.Running
		if rec.Step.Total > 0 && rec.Step.Value >= rec.Step.Total-1 {
			f.Window = evidence.Epoch
		}
	case df.batch && eval:
		f.Name = r.suffixed(df.info, "_batch")
		f.Window = evidence.Instant
		if f.Role == evidence.Eval || f.Role == evidence.Final {
			f.Role = evidence.Series
		}
	}
}

func (r *Reader) suffixed(in *nameInfo, end string) string {
	n := -1
	if end == "_batch" {
		n = -2
	}
	k := itemKey{in, n}
	if s, ok := r.items[k]; ok {
		return s
	}
	s := in.name + end
	if len(r.items) < maxNames {
		r.items[k] = s
	}
	return s
}

// samples gives the record's sample count to the values that were computed from it.
func (r *Reader) samples(rec *Record) {
	var n *int64
	behind := false // an evaluation's value stands in front
	for i := range rec.Fields {
		f := &rec.Fields[i]
		if f.Kind == evidence.KindCount && namesSamples(f, behind) {
			v := int64(f.Value)
			n = &v
		}
		behind = behind || isQuality(f.Kind) && (f.Role == evidence.Eval || f.Role == evidence.Final)
	}
	if n == nil && behind {
		if v, ok := spelledSamples(r.text); ok {
			n = &v
		}
	}
	if n == nil && behind && r.ahead.n != nil {
		n, r.ahead = r.ahead.n, promise{}
	}
	if n == nil {
		sharedSamples(rec)
		return
	}
	for i := range rec.Fields {
		f := &rec.Fields[i]
		if f.Samples == nil && isQuality(f.Kind) && (f.Role == evidence.Eval || f.Role == evidence.Final) {
			f.Samples = n
		}
	}
}

// sharedSamples: "correct 812/1250, accuracy 64.96%": the value that the fraction
// beside it comes to was computed from the same samples.
func sharedSamples(rec *Record) {
	for i := range rec.Fields {
		of := &rec.Fields[i]
		if of.Good == nil || of.Samples == nil || *of.Samples == 0 {
			continue
		}
		share := float64(*of.Good) / float64(*of.Samples)
		for k := range rec.Fields {
			f := &rec.Fields[k]
			if f.Samples == nil && f.Kind == of.Kind && f.Role == of.Role && (math.Abs(f.Value-share) < 5e-5 || math.Abs(f.Value-100*share) < 5e-3) {
				f.Good, f.Samples = of.Good, of.Samples
			}
		}
	}
}

// namesSamples: eval_samples, or the n behind an evaluation's values ("val_acc
// 0.91 (n=112)"); an n in front of them counts something else, a trial or a fold.
func namesSamples(f *Field, behind bool) bool {
	return strings.HasSuffix(f.Name, "_samples") && f.Split != SplitTrain && f.Split != "" || f.Name == "n" && behind
}

// closes: results without any counter, of no validation set, are printed when a process ends.
func closes(rec *Record) bool {
	if rec.Step.Has || rec.Epoch.Has {
		return false
	}
	any := false
	for i := range rec.Fields {
		f := &rec.Fields[i]
		switch f.Role {
		case evidence.Series, evidence.Item:
			return false
		case evidence.Eval, evidence.Final:
			if f.Split == SplitVal && f.Role != evidence.Final {
				return false
			}
			any = true
		}
	}
	return any
}

// flushes: a progress bar and a logging handler flush each record.
func (r *Reader) flushes(d *draft) bool {
	p := &r.line.Prefix
	return d.bar || p.Level != 0 && (p.Time != 0 || p.Logger != "")
}

func (r *Reader) string() string {
	if r.str == "" {
		r.str = string(r.text)
	}
	return r.str
}

// place is where the draft stands in the source. Prefixes were taken off the
// front, so the text's end is the line's end as far as it is known.
func (r *Reader) place(d *draft) (offset, end, line, time int64) {
	l := r.line
	offset, end = l.Offset, l.End
	if d.begin > 0 {
		offset = max(l.Offset, l.End-int64(len(l.Text)-d.begin)-1)
	}
	return offset, end, l.No, l.Prefix.Time
}
