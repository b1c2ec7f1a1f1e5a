package verdict

import (
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// fromOwn gives the reasons that lie in a value, its record and its neighbours.
func (j *judge) fromOwn(r ref, ci int) []Reason {
	t, row := j.track(r), j.row(r)
	col, cell := &t.Columns[ci], &row.Cells[ci]
	switch {
	case col.Role == evidence.Speed, col.Kind == evidence.KindMemory:
		return nil // infinite before the first interval is over: no evidence
	case cell.NonFinite > 0 && row.Note&evidence.NotePlaceholder != 0 && !cell.Last.Finite():
		return []Reason{j.t.reason("placeholder", vars{"value": cell.Text}, j.lineRef(r))}
	case cell.NonFinite > 0:
		return j.ownNonFinite(r, ci)
	}
	var why []Reason
	why = append(why, j.zeroSamples(r, ci)...)
	why = append(why, j.defaulted(r, ci)...)
	switch col.Kind {
	case evidence.KindLoss:
		why = append(why, j.hiddenNaN(r, ci)...)
		why = append(why, j.normBeside(r, ci)...)
		why = append(why, j.windowAroundNaN(r, ci)...)
	case evidence.KindAccuracy, evidence.KindError:
		why = append(why, j.besideNonFinite(r, ci)...)
	case evidence.KindNorm:
		why = append(why, j.normItself(r, ci)...)
	}
	if isEvaluation(col) || col.Kind == evidence.KindAccuracy || col.Kind == evidence.KindError {
		why = append(why, j.afterLostModel(r, ci)...)
	}
	if isEvaluation(col) {
		why = append(why, j.afterBadCheckpoint(r, ci)...)
	}
	return why
}

func (j *judge) ownNonFinite(r ref, ci int) []Reason {
	t, row := j.track(r), j.row(r)
	col, cell := &t.Columns[ci], &row.Cells[ci]
	switch {
	case col.Kind == evidence.KindNorm:
		return j.normNonFinite(r, ci)
	case row.Note&evidence.NoteAbsent != 0 && cell.Text == "":
		return []Reason{j.t.reason("loss-absent", nil, j.lineRef(r))}
	case col.Window == evidence.Running || col.Window == evidence.Epoch || col.Window == evidence.WholeRun:
		return []Reason{j.t.reason("window-not-finite", vars{"window": windowWords(col.Window)}, j.lineRef(r))}
	}
	return []Reason{j.t.reason("not-finite", vars{"value": valueText(cell)}, j.lineRef(r))}
}

func windowWords(w evidence.Window) string {
	switch w {
	case evidence.Running:
		return "a running mean"
	case evidence.Epoch:
		return "the epoch"
	case evidence.WholeRun:
		return "the whole run"
	case evidence.Best:
		return "the best so far"
	}
	return "an interval"
}

func valueText(c *evidence.Cell) string {
	if c.Text != "" {
		return c.Text
	}
	b, _ := c.Last.MarshalJSON()
	return string(b)
}

func (j *judge) zeroSamples(r ref, ci int) []Reason {
	t, row := j.track(r), j.row(r)
	role := t.Columns[ci].Role
	if n := row.Cells[ci].Samples; n != nil && *n == 0 && (role == evidence.Eval || role == evidence.Final) {
		return []Reason{j.t.reason("zero-samples", nil, j.lineRef(r))}
	}
	return nil
}

// defaulted: the run says that it replaced the metric by a number, and the next
// value of that metric is this number.
func (j *judge) defaulted(r ref, ci int) []Reason {
	t, row := j.track(r), j.row(r)
	c := &t.Columns[ci]
	for _, a := range j.actingOn(t.Source) {
		m := a.marker
		name, to := m.Attrs["metric"], m.Attrs["to"]
		if m.Effect != "value" || name == "" || to == "" || !namesOne(name, c) {
			continue
		}
		if n, err := strconv.ParseFloat(to, 64); err == nil && n == float64(row.Cells[ci].Last) && j.produced(a, r) {
			return []Reason{j.t.reason("defaulted", vars{"marker": m.Title, "value": row.Cells[ci].Text}, markerRef(m), j.lineRef(r))}
		}
	}
	return nil
}

// besideNonFinite: an accuracy over outputs that are not finite is finite and
// plausible. Its record says so when the loss of the same evaluation, or the
// instantaneous loss, is not finite; a running mean only raises the doubt,
// unless a marker says that the batch itself was.
func (j *judge) besideNonFinite(r ref, ci int) []Reason {
	t, row := j.track(r), j.row(r)
	if row.Note&evidence.NotePlaceholder != 0 {
		return nil
	}
	var doubt []Reason
	own := hasLossOf(t, row, t.Columns[ci].Split)
	for mi := range row.Cells {
		if mi == ci || mi >= len(t.Columns) || row.Cells[mi].NonFinite == 0 || t.Columns[mi].Kind != evidence.KindLoss {
			continue
		}
		col, mate := &t.Columns[ci], &t.Columns[mi]
		if mate.Split != col.Split && (own || mate.Split != "" && col.Split != "") || otherSet(t, row, col, mate) {
			continue
		}
		v := vars{"witness": mate.Printed + " " + valueText(&row.Cells[mi])}
		if mate.Window != evidence.Running && mate.Window != evidence.Epoch || sameEvaluation(col, mate) {
			return []Reason{j.t.reason("outputs-not-finite", v, j.lineRef(r))}
		}
		if m := j.batchMarkerBefore(row); m != nil {
			v["witness"] = "the batch loss (" + name(m) + ")"
			return []Reason{j.t.reason("outputs-not-finite", v, j.lineRef(r), markerRef(m))}
		}
		doubt = []Reason{j.t.reason("beside-not-finite", v, j.lineRef(r))}
	}
	if doubt == nil {
		return j.nextLineNonFinite(r, ci)
	}
	return doubt
}

// hasLossOf reports whether the record holds a loss of the data set itself: then
// those of others say nothing.
func hasLossOf(t *evidence.Track, row *evidence.Row, split string) bool {
	for ci := range row.Cells {
		if ci < len(t.Columns) && row.Cells[ci].N > 0 && t.Columns[ci].Kind == evidence.KindLoss && t.Columns[ci].Split == split {
			return true
		}
	}
	return false
}

// otherSet: the values of several sets stand in one record, each below the set's
// name ("val_seen/acc", "val_unseen/loss"), and the value's own set has a loss.
func otherSet(t *evidence.Track, row *evidence.Row, col, mate *evidence.Column) bool {
	of := setOf(col)
	if of == "" || setOf(mate) == "" || setOf(mate) == of {
		return false
	}
	for ci := range row.Cells {
		if ci < len(t.Columns) && row.Cells[ci].N > 0 && t.Columns[ci].Kind == evidence.KindLoss && setOf(&t.Columns[ci]) == of {
			return true
		}
	}
	return false
}

func setOf(c *evidence.Column) string {
	return c.Name[:max(0, strings.LastIndexByte(c.Name, '/'))]
}

// sameEvaluation: a loss over a whole evaluation covers the very outputs that
// the other value of that evaluation covers.
func sameEvaluation(a, b *evidence.Column) bool {
	return isEvaluation(a) && isEvaluation(b) && a.Split == b.Split
}

func isEvaluation(c *evidence.Column) bool {
	return c.Role == evidence.Eval || c.Role == evidence.Final
}

// nextLineNonFinite: loss and accuracy of one evaluation may stand on a line
// each ("Test loss: nan", "Test accuracy: 0.43").
func (j *judge) nextLineNonFinite(r ref, ci int) []Reason {
	t, row := j.track(r), j.row(r)
	col := &t.Columns[ci]
	if !isEvaluation(col) || col.Split == "" || row.N > 1 || row.First.Line == 0 || hasFiniteLoss(t, row) {
		return nil
	}
	for _, q := range j.seqs[t.Source] {
		qt, qrow := j.track(q), j.row(q)
		if apart := qrow.First.Line - row.First.Line; apart != 1 && apart != -1 || qrow.First.Segment != row.First.Segment || qrow.N > 1 {
			continue
		}
		for mi := range qrow.Cells {
			if mi < len(qt.Columns) && qrow.Cells[mi].NonFinite > 0 && qt.Columns[mi].Kind == evidence.KindLoss && sameEvaluation(col, &qt.Columns[mi]) {
				v := vars{"witness": qt.Columns[mi].Printed + " " + valueText(&qrow.Cells[mi])}
				return []Reason{j.t.reason("outputs-not-finite", v, j.lineRef(q), j.lineRef(r))}
			}
		}
	}
	return nil
}

// batchMarkerBefore finds a marker which says that a single batch's loss was
// not finite, before the row in its process.
func (j *judge) batchMarkerBefore(row *evidence.Row) *evidence.Marker {
	for _, m := range j.near.batches[row.First.Source] {
		if m.First.Segment == row.First.Segment && m.First.Offset < row.First.Offset {
			return m
		}
	}
	return nil
}

// afterLostModel: the training loss is not finite and never comes back, and
// then a finite evaluation or score is printed. A finite loss of the same evaluation
// shows the contrary; the best of a run is from before, where there was a before.
func (j *judge) afterLostModel(r ref, ci int) []Reason {
	t, row := j.track(r), j.row(r)
	lost := j.lostModels(t.Source)[r]
	if row.N == 1 && isEvaluation(&t.Columns[ci]) {
		lost = j.lostBy(lost, r) // a record of both is written after training and evaluation
	}
	if t.Columns[ci].Window == evidence.Best && !j.lostFromStart(lost) || hasFiniteLoss(t, row) {
		return nil
	}
	switch lost.n {
	case 0:
		return nil
	case 1: // a batch, or the model: nothing was printed since that could tell
		if !isEvaluation(&t.Columns[ci]) {
			return nil
		}
		from := j.row(lost.from)
		loss, _ := trainingLossCell(j.track(lost.from), from)
		return []Reason{j.t.reason("model-unknown", vars{"value": valueText(loss), "from": where(j.track(lost.from), from)}, j.lineRef(lost.from))}
	}
	return []Reason{j.t.reason("model-not-finite", vars{"from": where(j.track(lost.from), j.row(lost.from))}, j.lineRef(lost.from))}
}

// lostModel is since when a process has printed no finite training loss, how
// many that were, and whether there was a finite one before.
type lostModel struct {
	from ref
	n    int
	was  bool
}

// lostFromStart: the first epoch already gave no finite training loss, so that
// there is no better model from before.
func (j *judge) lostFromStart(lost lostModel) bool {
	if lost.n == 0 || lost.was {
		return false
	}
	epoch := j.row(lost.from).Epoch
	return epoch.Has && epoch.First <= 1
}

// lostModels says for each row of a source what stood before it in its process;
// rows without any such loss are left out.
func (j *judge) lostModels(source string) map[ref]lostModel {
	if m, known := j.lost[source]; known {
		return m
	}
	m, now, seq := map[ref]lostModel{}, map[int]lostModel{}, j.seqs[source]
	for i := 0; i < len(seq); {
		end := i
		for ; end < len(seq) && j.row(seq[end]).First.Offset == j.row(seq[i]).First.Offset; end++ {
			if lost := now[j.row(seq[end]).First.Segment]; lost.n > 0 {
				m[seq[end]] = lost
			}
		}
		for ; i < end; i++ {
			at := j.row(seq[i]).First.Segment
			now[at] = j.lostBy(now[at], seq[i])
		}
	}
	j.lost[source] = m
	return m
}

func (j *judge) lostBy(before lostModel, q ref) lostModel {
	row := j.row(q)
	loss, training := trainingLossCell(j.track(q), row)
	switch {
	case !training:
		return before
	case loss.NonFinite == 0 || row.Note&evidence.NotePlaceholder != 0:
		return lostModel{was: true}
	case before.n == 0:
		before.from = q
	}
	before.n += int(row.N)
	return before
}

// namesOne: the metric that a marker names, or one of several (f1|f_score), is
// the column's, whose own name may begin with the split.
func namesOne(names string, c *evidence.Column) bool {
	for name := range strings.SplitSeq(names, "|") {
		if strings.EqualFold(name, c.Printed) || strings.EqualFold(name, c.Name) || strings.HasSuffix(c.Name, "_"+name) {
			return true
		}
	}
	return false
}

func hasFiniteLoss(t *evidence.Track, row *evidence.Row) bool {
	for ci := range row.Cells {
		if ci < len(t.Columns) && row.Cells[ci].N > 0 && t.Columns[ci].Kind == evidence.KindLoss && row.Cells[ci].NonFinite == 0 {
			return true
		}
	}
	return false
}

// trainingLossCell is a training loss over one step or interval: running means
// stay NaN long after the model is well again.
func trainingLossCell(t *evidence.Track, row *evidence.Row) (*evidence.Cell, bool) {
	for ci := range row.Cells {
		if ci >= len(t.Columns) || row.Cells[ci].N == 0 {
			continue
		}
		c := &t.Columns[ci]
		if c.Kind == evidence.KindLoss && c.Role == evidence.Series && (c.Window == evidence.Instant || c.Window == evidence.Interval) {
			return &row.Cells[ci], true
		}
	}
	return nil, false
}
