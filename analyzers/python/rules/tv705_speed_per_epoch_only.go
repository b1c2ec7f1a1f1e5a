package rules

// tv705: an entry point that times epochs or steps and never the whole run:
// loading, compiling, evaluation and saving are in no figure.
func tv705() Rule {
	return Rule{
		Code:  "TV705",
		Needs: [][]string{{"__main__"}, {"backward("}, {"time.time(", "perf_counter", "monotonic(", "default_timer", "import time"}},
		Check: func(f *File, r *Report) {
			if f.entryPoint() == 0 {
				return
			}
			inside := span{}
			for s := range f.spans() {
				if f.Loop(s.begin) == 0 {
					return // one that is outside of loops
				}
				if inside.diff == 0 {
					inside = s
				}
			}
			if inside.diff != 0 {
				r.Add(Finding{
					At:      inside.diff,
					Message: "the times of this entry point are those of single epochs or steps: how long the run took, from its start to the saved result, is in no figure",
					Related: []Related{{At: inside.begin, Message: "the clock is read here"}},
				})
			}
		},
	}
}
