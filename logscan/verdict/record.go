package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/guards/record"
	"github.com/trainvet/trainvet/logscan/evidence"
	"github.com/trainvet/trainvet/logscan/order"
)

// fromRun gives the reasons that come from the run directory: what guards saw,
// what the capture says of itself, what the machine carried.
func (j *judge) fromRun(r ref, ci int) []Reason {
	run := j.ev.Run
	if run == nil {
		return nil
	}
	t, row := j.track(r), j.row(r)
	col := &t.Columns[ci]
	seen, why := j.fromGuards(r, ci), []Reason(nil)
	if len(run.Damage) > 0 {
		why = append(why, j.t.reason("damaged", vars{"how": strings.Join(run.Damage, "; ")}))
	}
	if !run.Trailer && !run.Loose && (j.wholeProcess(t, row, col) || col.Role == evidence.Final) {
		why = append(why, j.t.reason("no-trailer", nil))
	}
	if len(run.Silent) > 0 {
		why = append(why, j.t.reason("silent-process", vars{"how": strings.Join(run.Silent, ", ")}))
	}
	if len(run.Ledger) > 0 && (col.Role == evidence.Eval || col.Role == evidence.Final) {
		why = append(why, j.t.reason("unguarded", vars{"how": strings.Join(run.Ledger, ", ")}))
	}
	why = append(why, j.taintedReads(r)...)
	why = append(why, j.machineReasons(run)...)
	return append(seen, firstOfEach(why)...)
}

func (j *judge) collectFindings() {
	if j.ev.Run != nil {
		for _, f := range slices.Concat(j.ev.Run.Findings, fromRanks(j.ev.Run)) {
			if f.Code == budgetCode && f.Effect == string(record.Degrade) {
				j.short = append(j.short, f)
			} else {
				j.findings = append(j.findings, f)
			}
		}
	}
}

// maxOfEffect bounds the findings of one effect that are named of one value.
const maxOfEffect = 8

// fromGuards names each kind of finding once: of two faults the second one may
// say who ate the first.
func (j *judge) fromGuards(r ref, ci int) []Reason {
	col := &j.track(r).Columns[ci]
	var why []Reason
	named, many := map[string]bool{}, map[string]int{}
	for i := range j.findings {
		f := &j.findings[i]
		if key := f.Code + " " + f.Effect; !named[key] && many[f.Effect] < maxOfEffect && j.concerns(f, r, ci) {
			named[key] = true
			many[f.Effect]++
			effect := f.Effect
			if effect == "degrade" && !judgesTraining(col) {
				effect = "note" // a training loss is a forward value, true of whatever model there is
			}
			why = append(why, j.t.reason("guard-"+effect, vars{"finding": f.Code + ": " + f.Text}, Ref{At: f.At, Text: f.Text}))
		}
	}
	return why
}

func (j *judge) machineReasons(run *evidence.Run) []Reason {
	var why []Reason
	for _, m := range run.Machine {
		how := fmt.Sprintf("%s carries %s since %s, not cleared", m.Device, m.Marker, m.Since)
		why = append(why, j.t.reason("machine-taint", vars{"how": how}))
	}
	for _, p := range run.Probes {
		if !p.Passed {
			why = append(why, j.t.reason("probe-failed", vars{"how": p.Device + ": " + p.Text}))
		}
	}
	return why
}

// atItsStep: of values at the very step of a fault those stand that were computed
// before it, which their places tell. Parameters that are found not to be finite
// were so for all that the step gives.
func atItsStep(f *evidence.Finding, step evidence.Span) bool {
	return f.Class == "fault" && float64(step.Last) == *f.From
}

// concerns reports whether a finding covers a value: by its metric pattern and
// its steps, or by the place in the sink where the guard spoke.
func (j *judge) concerns(f *evidence.Finding, r ref, ci int) bool {
	t, row := j.track(r), j.row(r)
	col := &t.Columns[ci]
	if f.Metric != "" && !glob(f.Metric, col.Name) {
		return false
	}
	if f.Rank != nil && !sameRank(f.Rank, j.source(t.Source).Rank) && f.Scope != evidence.Job {
		return false
	}
	if f.Effect == "degrade" && !judgesTraining(col) && col.Role != evidence.Series {
		return false
	}
	if ofWholeRun(f) {
		return true
	}
	if ofNothing(f) && !fromNothing(row, col, ci) {
		return false
	}
	if ofEvaluation(f) && !isEvaluation(col) {
		return false
	}
	var step evidence.Span // a bar's counter that begins anew, or one of epochs, is no step of the run
	if facts := &j.tables[r.track]; !facts.other {
		step = facts.clock(t, row)
	}
	switch {
	case f.Until != nil && step.Has && float64(step.First) > *f.Until:
		return false
	case f.From != nil && step.Has && float64(step.Last) < *f.From:
		return false
	case f.From != nil && step.Has && !atItsStep(f, step):
		return true
	}
	e := j.event(f)
	v := j.value(r, j.wholeProcess(t, row, col))
	return j.x.Place(&e, &v).Relation != order.Before
}
