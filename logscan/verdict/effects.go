package verdict

import (
	"fmt"

	"github.com/trainvet/trainvet/logscan/evidence"
)

// fromEffects gives the reasons that say that the training or the evaluation
// behind a true measurement was not what it claims.
func (j *judge) fromEffects(r ref, ci int) []Reason {
	t := j.track(r)
	col := &t.Columns[ci]
	if col.Role == evidence.Diagnostic || col.Role == evidence.Item {
		return nil
	}
	var why []Reason
	if judgesTraining(col) {
		why = append(why, j.fromSkips(r)...)
		why = append(why, j.weights(r, ci)...)
		why = append(why, j.jumpedBack(r)...)
		why = append(why, j.resumedPartly(r)...)
		why = append(why, j.partOfSet(r, ci)...)
		why = append(why, j.budget(r, ci)...)
	}
	for _, a := range j.actingOn(t.Source) {
		m := a.marker
		if m.Class != evidence.Degraded || !covers(m.Effect, col) || !j.produced(a, r) {
			continue
		}
		why = append(why, j.effect(m)...)
	}
	why = append(why, j.broken(r)...)
	return firstOfEach(why)
}

// judgesTraining: evaluation, final and aggregate values depend on the steps
// behind them; a training-loss point is a forward value.
func judgesTraining(c *evidence.Column) bool {
	if c.Role == evidence.Speed || c.Kind == evidence.KindSkips || c.Kind == evidence.KindScale {
		return false
	}
	switch c.Role {
	case evidence.Eval, evidence.Final:
		return true
	case evidence.Series:
		return c.Window == evidence.Running || c.Window == evidence.Epoch || c.Window == evidence.WholeRun || c.Window == evidence.Best
	}
	return false
}

// covers reports whether an effect is of the column's kind.
func covers(effect string, c *evidence.Column) bool {
	switch effect {
	case "speed":
		return c.Role == evidence.Speed
	case "steps", "data", "precision", "completeness":
		return judgesTraining(c)
	}
	return false
}

func (j *judge) effect(m *evidence.Marker) []Reason {
	v := vars{"marker": name(m)}
	switch m.Effect {
	case "data":
		return []Reason{j.t.reason("data-lost", v, markerRef(m))}
	case "precision":
		return []Reason{j.t.reason("precision-lost", v, markerRef(m))}
	case "speed":
		return []Reason{j.t.reason("speed-lost", v, markerRef(m))}
	case "completeness":
		return []Reason{j.t.reason("incomplete", v, markerRef(m))}
	case "steps":
		return j.uncounted(m)
	}
	return nil
}

// uncounted: a marker that tells of lost steps without counting them. Those
// that count are rows of a table and are judged with their number.
func (j *judge) uncounted(m *evidence.Marker) []Reason {
	switch {
	case m.Attrs["steps"] != "" || m.Attrs["skipped_total"] != "":
		return nil
	case m.Attrs["at_most"] != "":
		return []Reason{j.t.reason("one-skip", vars{"marker": name(m)}, markerRef(m))}
	}
	return []Reason{j.t.reason("skips-unknown", vars{"how": "the framework itself warns: " + name(m)}, markerRef(m))}
}

// broken: a recorded source that declares a loss before the value.
func (j *judge) broken(r ref) []Reason {
	row := j.row(r)
	s := j.source(row.First.Source)
	for _, b := range s.Breaks {
		if b.At.Offset <= row.First.Offset && b.Kind != "truncated" {
			return []Reason{j.t.reason("discontinuity", vars{"how": fmt.Sprintf("%s at %s", b.Kind, at(b.At))}, Ref{At: b.At, Text: b.Text})}
		}
	}
	return nil
}

// weights: keys that were missing or newly initialised, other than a declared
// head. Without a training step behind the value it measures what was never
// trained; with training it is a note.
func (j *judge) weights(r ref, ci int) []Reason {
	t, row := j.track(r), j.row(r)
	var note []Reason // of the first: another line may tell of keys that matter more
	for _, a := range j.actingOn(t.Source) {
		m := a.marker
		if m.Effect != "weights" || !j.produced(a, r) {
			continue
		}
		v := vars{"witness": name(m), "how": fmt.Sprintf("%s: %s", name(m), m.Attrs["keys"])}
		switch harmless := m.Class != evidence.Degraded || j.trainedBetween(m, row); {
		case harmless && note == nil:
			note = []Reason{j.t.reason("new-weights", v, markerRef(m))}
		case !harmless && isEvaluation(&t.Columns[ci]):
			return []Reason{j.t.reason("weights-not-loaded", v, markerRef(m))}
		}
	}
	return note
}

// trainedBetween reports whether a training record stands between the marker
// and the row.
func (j *judge) trainedBetween(m *evidence.Marker, row *evidence.Row) bool {
	for _, q := range j.seqs[row.First.Source] {
		qt, qrow := j.track(q), j.row(q)
		if qrow.First.Offset > m.First.Offset && qrow.First.Offset <= row.First.Offset { // its own record may hold a training loss
			if _, training := trainingLoss(qt, qrow); training {
				return true
			}
		}
	}
	return false
}
