package verdict

import (
	"slices"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// A gradient norm that is not finite is a skipped step when a later record is
// finite again. When it stays, the steps are lost or the model is; when the
// log ends there, that is not known.

// normFate is what became of a run of non-finite gradient norms.
type normFate int

const (
	normRecovers normFate = iota
	normStays
	normEnds
)

func (j *judge) normNonFinite(r ref, ci int) []Reason {
	t, row := j.track(r), j.row(r)
	v := vars{"value": valueText(&row.Cells[ci]), "from": where(t, row)}
	if lossLost(t, row) {
		return []Reason{j.t.reason("not-finite", v, j.lineRef(r))}
	}
	switch j.fate(r, ci) {
	case normStays:
		return []Reason{j.t.reason("norm-stays", v, j.lineRef(r))}
	case normEnds:
		return []Reason{j.t.reason("norm-at-end", v, j.lineRef(r))}
	}
	return nil
}

func lossLost(t *evidence.Track, row *evidence.Row) bool {
	return row.Note&evidence.NoteAbsent != 0 || nonFiniteLoss(t, row)
}

// fate looks at the records behind: the next norms of the track, and any finite
// loss of another record, which shows that the model is well.
func (j *judge) fate(r ref, ci int) normFate {
	t, row := j.track(r), j.row(r)
	more := row.N > 1
	for ri := r.row + 1; ri < len(t.Rows); ri++ {
		next := &t.Rows[ri]
		if next.First.Segment != row.First.Segment {
			break
		}
		if ci >= len(next.Cells) || next.Cells[ci].N == 0 {
			continue
		}
		if next.Cells[ci].NonFinite == 0 {
			return normRecovers
		}
		more = true
	}
	if j.finiteEvalAfter(row) {
		return normRecovers
	}
	for ri := r.row - 1; ri >= 0 && !more; ri-- {
		prev := &t.Rows[ri]
		if prev.First.Segment != row.First.Segment || ci >= len(prev.Cells) || prev.Cells[ci].N == 0 {
			continue
		}
		more = prev.Cells[ci].NonFinite > 0
		break
	}
	if more {
		return normStays
	}
	return normEnds
}

func (j *judge) finiteEvalAfter(row *evidence.Row) bool {
	for _, q := range j.seqs[row.First.Source] {
		qrow := j.row(q)
		if qrow.First.Segment == row.First.Segment && qrow.First.Offset > row.First.Offset &&
			isEvalRow(j.track(q), qrow) && hasFiniteLoss(j.track(q), qrow) {
			return true
		}
	}
	return false
}

// normBeside judges a finite loss by the gradient norm of its record.
func (j *judge) normBeside(r ref, loss int) []Reason {
	t, row := j.track(r), j.row(r)
	models := j.tables[r.track].models
	ci := normOf(t, row, models, loss)
	switch {
	case ci < 0:
		return nil
	case row.Cells[ci].NonFinite > 0 && nonFiniteLoss(t, row):
		return []Reason{j.t.reason("outputs-not-finite", vars{"witness": lostLoss(t, row, models, loss)}, j.lineRef(r))}
	case row.Cells[ci].NonFinite > 0:
		return j.normNonFinite(r, ci)
	}
	return j.normItself(r, ci)
}

// lostLoss names the loss of a record that is not finite, of the same model if
// there is one.
func lostLoss(t *evidence.Track, row *evidence.Row, models []string, loss int) string {
	words := ""
	for ci := range row.Cells {
		if ci >= len(t.Columns) || row.Cells[ci].NonFinite == 0 || t.Columns[ci].Kind != evidence.KindLoss {
			continue
		}
		own := models[ci] == models[loss]
		if words == "" || own {
			words = t.Columns[ci].Printed + " " + valueText(&row.Cells[ci])
		}
		if own {
			break
		}
	}
	return words
}

// normOf finds the gradient norm of a record that belongs to one of its losses, or
// -1. A record of several models, with critic/grad_norm and actor/grad_norm, holds
// the norm of another beside each loss: that says nothing of this one.
func normOf(t *evidence.Track, row *evidence.Row, models []string, loss int) int {
	model, first := models[loss], -1
	for ci := range row.Cells {
		if ci >= len(t.Columns) || row.Cells[ci].N == 0 || t.Columns[ci].Kind != evidence.KindNorm {
			continue
		}
		of := models[ci]
		if of == model {
			return ci
		}
		if first < 0 && (model == "" || of == "" || !namesLoss(t, row, models, of)) {
			first = ci
		}
	}
	return first
}

// namesLoss: a loss of the record is of this model.
func namesLoss(t *evidence.Track, row *evidence.Row, models []string, model string) bool {
	for ci := range row.Cells {
		if ci < len(t.Columns) && row.Cells[ci].N > 0 && t.Columns[ci].Kind == evidence.KindLoss && models[ci] == model {
			return true
		}
	}
	return false
}

// modelOf is what a name says of whose value it is: the first part of a path, or the
// words beside those of the kind, as in loss_g and grad_norm_g.
func modelOf(name string) string {
	if model, _, ok := strings.Cut(name, "/"); ok {
		return model
	}
	words := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("_-. ", r) })
	words = slices.DeleteFunc(words, func(w string) bool { return slices.Contains(kindWords, w) })
	return strings.Join(words, "_")
}

// kindWords name a loss or a norm and nobody's.
var kindWords = []string{
	"loss", "losses", "grad", "grads", "gradient", "gradients", "norm", "gnorm", "gradnorm", "total", "global", "avg", "mean", "train", "training", "step",
}

// normItself: a finite norm that is the same to many digits twice is stuck.
func (j *judge) normItself(r ref, ci int) []Reason {
	other, ok := j.repeats(r, ci)
	if !ok {
		return nil
	}
	digits := number(float64(significant(j.row(r).Cells[ci].Text)))
	return []Reason{j.t.reason("stuck-norm", vars{"digits": digits}, j.lineRef(r), j.lineRef(other))}
}

// repeats finds the neighbouring record with the same printed value.
func (j *judge) repeats(r ref, ci int) (ref, bool) {
	t, row := j.track(r), j.row(r)
	text := row.Cells[ci].Text
	if significant(text) < j.cfg.StuckDigits {
		return ref{}, false
	}
	if row.N > 1 && row.Cells[ci].Min == row.Cells[ci].Max {
		return r, true
	}
	for _, ri := range []int{r.row - 1, r.row + 1} {
		if ri < 0 || ri >= len(t.Rows) || t.Rows[ri].First.Segment != row.First.Segment || ci >= len(t.Rows[ri].Cells) {
			continue
		}
		if c := &t.Rows[ri].Cells[ci]; c.N > 0 && c.Text == text {
			return ref{r.track, ri}, true
		}
	}
	return ref{}, false
}

// significant counts the digits of a printed number without leading zeros and
// exponent. Trailing zeros count: they were printed.
func significant(text string) int {
	mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
	mantissa = strings.TrimLeft(mantissa, "+-0.")
	n := 0
	for _, c := range mantissa {
		if c >= '0' && c <= '9' {
			n++
		}
	}
	return n
}
