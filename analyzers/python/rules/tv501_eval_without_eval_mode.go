package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// tv501: a model is judged in training mode: with dropout on and statistics of
// the batch.
func tv501() Rule {
	return Rule{
		Code:  "TV501",
		Needs: evalNeeds,
		Quick: loopsToJudge,
		Check: func(f *File, r *Report) {
			if f.Uses(Lightning | Transformers | Fairseq | SpeechBrain | Engine) {
				return // the framework sets the mode
			}
			if f.says(f.Root(), ".eval(", ".train(", "from_pretrained(") {
				f.judgedInTraining(r)
				return // somebody sets the mode: what from_pretrained gives is in evaluation mode
			}
			m := newModeFlow(f)
			f.evalLoops(func(l evalLoop) bool {
				if call := f.modelCall(l.loop); call != 0 && !m.modelessAt(l, call) {
					r.Add(Finding{At: call, Message: "the model is judged without eval() anywhere in this file: dropout is on and batch statistics are those of each batch, so the metric changes from run to run"})
				}
				return true
			})
		},
	}
}

// evalNeeds are the words of files that judge a model over batches.
var evalNeeds = [][]string{{"torch"}, {"loader", "batches", "_iter", "dataset"}, {"evaluat", "valid", "def test", "def eval", "_eval(", "test_loader", "val_loader"}}

// judgedInTraining reports the loops to which training mode is seen to lead.
func (f *File) judgedInTraining(r *Report) {
	if f.says(f.Root(), "models.detection") {
		return // torchvision's detectors give a loss in training mode alone
	}
	m := newModeFlow(f)
	f.evalLoops(func(l evalLoop) bool {
		call := f.modelCall(l.loop)
		if call == 0 || f.thrownAway(call) {
			return true
		}
		if on, through := m.judgedInTraining(l, call); on != 0 && !m.modelessAt(l, call) {
			out := Finding{
				At:      call,
				Message: "the model is judged in training mode: dropout is on and batch statistics are those of each batch, so the metric changes from run to run",
				Related: []Related{{At: on, Message: "training mode is switched on here, and nothing switches to evaluation before"}},
			}
			if through != 0 {
				out.Related = append(out.Related, Related{At: through, Message: "called here"})
			}
			r.Add(out)
		}
		return true
	})
}

// thrownAway reports whether nobody looks at what a call gives: it is run for
// its statistics alone.
func (f *File) thrownAway(call syntax.Node) bool {
	s := f.statement(call)
	return f.Kind(s) == syntax.ExprStmt && f.Parent(call) == s || f.Kind(s) == syntax.Assign && f.Src(f.Child(s, syntax.RoleTarget)) == "_"
}
