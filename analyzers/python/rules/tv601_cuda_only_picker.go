package rules

import "strings"

// tv601: the device is CUDA or the CPU. On any other accelerator the run takes
// the CPU, and nothing says that it did.
func tv601() Rule {
	return Rule{
		Code: "TV601",
		// Of a script that only infers nobody takes the speed for a result.
		Needs: [][]string{{"cuda.is_available()"}, {"\"cpu\"", "'cpu'"}, {"backward(", "zero_grad(", "Trainer(", ".fit("}},
		Check: func(f *File, r *Report) {
			if strings.HasSuffix(f.FileName, ".ipynb") || f.converts() || f.knowsOthers() || f.needsCuda() {
				return
			}
			f.cudaPickers(func(p picker) bool {
				r.Say(p.node, "the device is CUDA or the CPU: where the accelerator is another one (mps, xpu) the run goes to the CPU without a word, and its speed is taken for that of the model")
				return true
			})
		},
	}
}
