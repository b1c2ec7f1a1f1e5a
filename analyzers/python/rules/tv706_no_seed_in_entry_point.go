package rules

// tv706: an entry point that trains and sets no seed. Two runs differ, and
// nobody can tell a change from chance.
func tv706() Rule {
	return Rule{
		Code:  "TV706",
		Needs: [][]string{{"__main__"}, {"backward("}},
		Check: func(f *File, r *Report) {
			if f.Uses(Lightning | Fabric | Transformers | Fairseq | SpeechBrain | Engine) {
				return
			}
			if at := f.entryPoint(); at != 0 && !f.mentions("seed") {
				r.Add(Finding{At: at, Head: true, Message: "this entry point trains and sets no seed: a second run gives another number, and no difference between two can be told from chance"})
			}
		},
	}
}
