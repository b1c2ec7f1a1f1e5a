package rules

// tv501: a model is judged in training mode: with dropout on and statistics of
// the batch.
func tv501() Rule {
	return Rule{
		Code:  "TV501",
		Needs: evalNeeds,
		Quick: loopsToJudge,
		Check: func(f *File, r *Report) {
			if f.Uses(Lightning|Transformers|Fairseq|SpeechBrain|Engine) || f.says(f.Root(), ".eval(", ".train(", "from_pretrained(") {
				return // somebody sets the mode, or a framework does: what from_pretrained gives is in evaluation mode
			}
			f.evalLoops(func(l evalLoop) bool {
				if call := f.modelCall(l.loop); call != 0 {
					r.Add(Finding{At: call, Message: "the model is judged without eval() anywhere in this file: dropout is on and batch statistics are those of each batch, so the metric changes from run to run"})
				}
				return true
			})
		},
	}
}

// evalNeeds are the words of files that judge a model over batches.
var evalNeeds = [][]string{{"torch"}, {"loader", "batches", "_iter", "dataset"}, {"evaluat", "valid", "def test", "def eval", "_eval(", "test_loader", "val_loader"}}
