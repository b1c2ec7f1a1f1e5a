package rules

import "strings"

// tv609: the scaler is made for CUDA, and where CUDA is not there it switches
// itself off: losses are not scaled, and only a warning says so.
func tv609() Rule {
	return Rule{
		Code:  "TV609",
		Needs: [][]string{{"GradScaler("}},
		Check: func(f *File, r *Report) {
			// On the CPU autocast takes bfloat16, or is off too: nothing is lost there.
			if strings.HasSuffix(f.FileName, ".ipynb") || f.needsCuda() || !f.knowsOthers() {
				return
			}
			for call := range f.CallsOf("GradScaler") {
				path := f.Path(f.First(call))
				old := strings.HasSuffix(path, "cuda.amp.GradScaler") || path == "torch.cuda.amp.grad_scaler.GradScaler"
				if !old && path != "torch.amp.GradScaler" && path != "torch.GradScaler" || f.Unpacks(call) || f.IsFalse(f.Keyword(call, "enabled")) {
					continue
				}
				if !old && f.ArgOr(call, 0, "device") != 0 || f.cudaKnown(call) {
					continue
				}
				if at := f.chosenDevice(); at != 0 {
					r.Add(Finding{At: call, Message: "the scaler is one for CUDA: on another device it switches itself off, and float16 gradients that underflow are zeros in a run that claims to scale its loss",
						Related: []Related{{At: at, Message: "the device is chosen here"}}})
				}
			}
		},
	}
}
