package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv306: the schedule goes on although the scaler threw the step away: the
// learning rate that the log shows was never used.
func tv306() Rule {
	return Rule{
		Code:  "TV306",
		Needs: [][]string{{"scaler", "Scaler"}, {".step("}, {".unscale_(", ".scale("}},
		Check: func(f *File, r *Report) {
			if f.Uses(managed) {
				return
			}
			for sched := range f.CallsOf("step") {
				object := f.Receiver(sched)
				if object == 0 || !f.isScheduler(object) || f.isScaler(object) || !f.isRateStep(sched, object) {
					continue
				}
				if step := f.besideScaler(sched); step != 0 && !f.asksSkip(f.Function(sched)) {
					r.Add(Finding{
						At:      sched,
						Message: f.Src(object) + " steps also when the scaler skipped the update: the schedule runs ahead of the training",
						Related: []Related{{At: step, Message: "the step that may be skipped"}},
					})
				}
			}
		},
	}
}

// isRateStep leaves out schedulers of noise, those that watch a metric, and those
// that are told the part of an epoch: they do not count updates.
func (f *File) isRateStep(call, object syntax.Node) bool {
	positional, keywords := f.args(call)
	return positional+keywords < 2 && !strings.Contains(f.Src(f.ArgOr(call, 0, "epoch")), "epoch") && !strings.Contains(strings.ToLower(f.Last(object)), "plateau") && !f.Made(object, ".ReduceLROnPlateau")
}

// besideScaler is a step of a scaler in the same turn of the same loop, or in the
// same call of a function that is one turn.
func (f *File) besideScaler(sched syntax.Node) syntax.Node {
	for step, s := range f.onScaler("step") {
		if f.Loop(step) == f.Loop(sched) && f.Function(step) == f.Function(sched) && !f.isOff(s) && f.leads(step, sched, []syntax.Node{f.Loop(sched)}, []syntax.Node{s}) {
			return step
		}
	}
	return 0
}

// asksSkip reports whether a function looks whether the step was skipped.
func (f *File) asksSkip(def syntax.Node) bool {
	text := strings.ToLower(f.Src(def))
	for _, word := range []string{"get_scale(", "skip", "overflow", "found_inf"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}
