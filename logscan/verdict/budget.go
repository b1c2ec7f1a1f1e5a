package verdict

import (
	"fmt"
	"strconv"

	"github.com/trainvet/trainvet/guards/record"
	"github.com/trainvet/trainvet/logscan/evidence"
)

const (
	// epochSlack: counters of epochs are printed rounded.
	epochSlack = 0.01
	// endlessEpochs: data without a length are given a number that means no end.
	endlessEpochs = 1e6
	// budgetCode is the finding of the guards that a training ended before its plan.
	budgetCode = "budget"
)

// budget: the training ended with less than it announced. A run that says that
// it stopped early did what it was told, and so did one that was sent a signal,
// or failed: its ending says so.
func (j *judge) budget(r ref, ci int) []Reason {
	row := j.row(r)
	if j.stoppedEarly(row) {
		return nil
	}
	if why := j.closedEarly(row); why != nil {
		return why
	}
	if run := j.ev.Run; run == nil || !run.Loose && (run.Ending != "exit" || run.Exit == nil || *run.Exit != 0 || len(run.Told) > 0) || j.followed(r, ci) {
		return nil
	}
	if why := j.fellShort(r); why != nil {
		return why
	}
	return j.printedMore(r)
}

// closedEarly: the training closed with fewer epochs than it announced. A limit in
// steps is announced as the epochs that it begins, so only a whole epoch that is
// missing proves it.
func (j *judge) closedEarly(row *evidence.Row) []Reason {
	planned := j.decided(row, "epochs")
	if planned == nil {
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

// fellShort: a guard counted less than what arguments or a bar announced, when
// the process came to its end. What was measured on the way stays what it is.
func (j *judge) fellShort(r ref) []Reason {
	rank := j.source(j.track(r).Source).Rank
	for i := range j.short {
		if f := &j.short[i]; f.Rank == nil || sameRank(f.Rank, rank) {
			return []Reason{j.t.reason("budget", vars{"how": f.Text}, Ref{At: f.At, Text: f.Text})}
		}
	}
	return nil
}

// printedMore: lines of the form "epoch 2/3" announce epochs that never came, in
// a process of which nothing says that it was meant to end.
func (j *judge) printedMore(r ref) []Reason {
	row := j.row(r)
	at, planned, done := ref{}, 0.0, 0.0
	for _, q := range j.seqs[row.First.Source] {
		t, c := j.track(q), j.row(q)
		if c.First.Segment != row.First.Segment || !c.Epoch.Has || float64(t.Epochs) < 2 || float64(t.Epochs) > endlessEpochs {
			continue
		}
		last := float64(c.Epoch.Last)
		if float64(t.Rows[0].Epoch.First) == 0 {
			last++ // counted from 0
		}
		if planned != 0 && planned != float64(t.Epochs) {
			return nil // of several trainings
		}
		at, planned, done = q, float64(t.Epochs), max(done, last)
	}
	plan := j.planOf(j.source(row.First.Source).Rank)
	if planned == 0 || plan == nil {
		return nil
	}
	if passes, err := strconv.ParseFloat(plan["passes"], 64); err == nil {
		done = max(done, passes)
	}
	if done > planned-1+epochSlack || plan["meant"] != "" {
		return nil
	}
	how := fmt.Sprintf("the training made %s of %s epochs that it printed as its plan", number(done), number(planned))
	return []Reason{j.t.reason("budget", vars{"how": how}, j.lineRef(at))}
}

// planOf is what the guards of a rank counted of its training; nil where they saw
// none, or where several processes trained.
func (j *judge) planOf(rank *int) map[string]string {
	var found []*evidence.Held
	for i := range j.ev.Run.Held {
		h := &j.ev.Run.Held[i]
		if h.Code == budgetCode && h.Expect == record.ExpectNothing && (h.Rank == nil || (rank == nil && *h.Rank == 0) || sameRank(h.Rank, rank)) {
			found = append(found, h)
		}
	}
	if len(found) != 1 {
		return nil
	}
	plan := map[string]string{}
	for _, it := range found[0].Items {
		plan[it.Name] = it.Value
	}
	return plan
}

// followed reports whether the same value was measured again later.
func (j *judge) followed(r ref, ci int) bool {
	t := j.track(r)
	for ri := r.row + 1; ri < len(t.Rows); ri++ {
		if cells := t.Rows[ri].Cells; ci < len(cells) && cells[ci].N > 0 {
			return true
		}
	}
	return false
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
