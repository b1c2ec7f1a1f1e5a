package rules

// tv707: torch.load without weights_only. Before torch 2.6 it runs whatever the
// file says; since then the same line refuses what it used to load.
func tv707() Rule {
	return Rule{
		Code:  "TV707",
		Needs: [][]string{{"torch.load", "import load"}},
		Check: func(f *File, r *Report) {
			for call := range f.CallsOf("load") {
				if !f.Is(call, "torch.load") || f.Keyword(call, "weights_only") != 0 || f.Keyword(call, "pickle_module") != 0 || f.Arg(call, 2) != 0 || f.Unpacks(call) || f.Arg(call, 0) == 0 {
					continue
				}
				at := f.End(f.Arg(call, 0))
				for c := range f.Children(call) {
					at = max(at, f.End(c))
				}
				r.Add(Finding{
					At:      call,
					Message: "torch.load without weights_only: torch before 2.6 runs code that the file holds, later ones refuse files that hold more than weights",
					Fixes:   []Fix{{Message: "load weights alone", Edits: []Edit{{at, at, ", weights_only=True"}}}},
				})
			}
		},
	}
}
