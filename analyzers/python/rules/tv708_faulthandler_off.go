package rules

// tv708: a run that a driver aborts leaves nothing on its log but the driver's
// own line: no stack says where the host was.
func tv708() Rule {
	return Rule{
		Code:  "TV708",
		Needs: [][]string{{"__main__"}, {"backward("}},
		Facts: []string{"faulthandler", "PYTHONFAULTHANDLER"},
		Check: func(f *File, r *Report) {
			if at := f.entryPoint(); at != 0 {
				r.Add(Finding{
					At: at, Head: true,
					Message: "nothing enables faulthandler: where a driver aborts this run, no stack says what it was doing",
					Unless:  []string{"faulthandler", "PYTHONFAULTHANDLER"},
				})
			}
		},
	}
}
