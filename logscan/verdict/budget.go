package verdict

import (
	"fmt"

	"github.com/trainvet/trainvet/logscan/evidence"
)

const (
	// epochSlack: counters of epochs are printed rounded.
	epochSlack = 0.01
	// endlessEpochs: data without a length are given a number that means no end.
	endlessEpochs = 1e6
)

// budget: the training closed with fewer epochs than it announced. A limit in
// steps is announced as the epochs that it begins, so only a whole epoch that is
// missing proves it. A run that says that it stopped early did what it was told.
func (j *judge) budget(r ref) []Reason {
	row := j.row(r)
	planned := j.decided(row, "epochs")
	if planned == nil || j.stoppedEarly(row) {
		return nil
	}
	want := number64(planned.Got)
	closing := j.closingBefore(row)
	if closing == nil || want > endlessEpochs || float64(closing.Epoch.Last) >= want-1-epochSlack {
		return nil
	}
	how := fmt.Sprintf("%s epochs were planned, and the training closed at epoch %s", planned.Got, number(float64(closing.Epoch.Last)))
	return []Reason{j.t.reason("budget", vars{"how": how}, Ref{At: planned.At, Text: planned.Text})}
}

// closingBefore is the record that closes the training of the row's process.
func (j *judge) closingBefore(row *evidence.Row) *evidence.Row {
	for _, q := range j.seqs[row.First.Source] {
		t, c := j.track(q), j.row(q)
		if c.First.Offset > row.First.Offset {
			break
		}
		if c.First.Segment == row.First.Segment && c.Epoch.Has && closesTraining(t, c) {
			return c
		}
	}
	return nil
}

// closesTraining: the record gives the loss over the whole run.
func closesTraining(t *evidence.Track, row *evidence.Row) bool {
	for ci := range row.Cells {
		if ci < len(t.Columns) && row.Cells[ci].N > 0 {
			if c := &t.Columns[ci]; c.Kind == evidence.KindLoss && c.Window == evidence.WholeRun && c.Role == evidence.Final {
				return true
			}
		}
	}
	return false
}

func (j *judge) stoppedEarly(row *evidence.Row) bool {
	for _, d := range j.near.decisions[row.First.Source] {
		if d.Topic == "early stop" {
			return true
		}
	}
	return false
}
