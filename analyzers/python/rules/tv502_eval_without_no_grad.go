package rules

// tv502: gradients are kept for an evaluation that nobody differentiates.
func tv502() Rule {
	return Rule{
		Code:  "TV502",
		Needs: evalNeeds,
		Quick: loopsToJudge,
		Check: func(f *File, r *Report) {
			if f.Uses(Lightning|Transformers|Fairseq|SpeechBrain|Engine) || f.says(f.Root(), "no_grad", "volatile=True", "inference_mode", "set_grad_enabled", "autograd.grad") {
				return
			}
			f.evalLoops(func(l evalLoop) bool {
				if call := f.modelCall(l.loop); call != 0 {
					r.Say(call, "the model is judged with gradients on: memory grows with every batch that is kept, and batches have to be smaller than they could")
				}
				return true
			})
		},
	}
}
