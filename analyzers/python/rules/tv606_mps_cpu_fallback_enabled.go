package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

const mpsFallback = "PYTORCH_ENABLE_MPS_FALLBACK"

// tv606: what mps cannot do is done on the CPU, without a word.
func tv606() Rule {
	return Rule{
		Code:  "TV606",
		Needs: [][]string{{mpsFallback}},
		Check: func(f *File, r *Report) {
			const message = "operators that mps lacks run on the CPU from here without a word: the speed of the run is not that of the device"
			for n := range f.All(syntax.Assign) {
				target := f.Child(n, syntax.RoleTarget)
				if f.Kind(target) != syntax.Subscript {
					continue
				}
				key, _ := f.Str(f.Child(target, syntax.RoleSlice))
				if value, _ := f.Str(f.Child(n, syntax.RoleValue)); key == mpsFallback && value == "1" && f.Is(f.First(target), "os.environ") {
					r.Say(n, message)
				}
			}
			for _, name := range []string{"setdefault", "putenv", "setenv"} {
				for call := range f.CallsOf(name) {
					key, _ := f.Str(f.Arg(call, 0))
					if value, _ := f.Str(f.Arg(call, 1)); key == mpsFallback && value == "1" {
						r.Say(call, message)
					}
				}
			}
		},
	}
}
