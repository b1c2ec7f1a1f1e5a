package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv111: ids are integers, which are always finite: the check finds nothing,
// ever.
func tv111() Rule {
	return Rule{
		Code: "TV111", Needs: [][]string{{"isfinite(", "isnan(", "isinf("}, {"_ids", "argmax", "generate("}},
		Check: func(f *File, r *Report) {
			for _, name := range []string{"isfinite", "isnan", "isinf"} {
				for call := range f.CallsOf(name) {
					arg := f.Arg(call, 0)
					if arg == 0 {
						arg = f.Receiver(call)
					}
					if arg != 0 && f.isIDs(arg) {
						r.Say(call, "%s are integers, which are always finite: this check finds no fault; hold them against the vocabulary", f.Src(arg))
					}
				}
			}
		},
	}
}

// isIDs reports whether an expression is ids: by its name, or made by argmax or
// generate.
func (f *File) isIDs(n syntax.Node) bool {
	switch f.Kind(n) {
	case syntax.Name, syntax.Attribute:
		name := strings.ToLower(f.Last(n))
		if name == "input_ids" || name == "token_ids" || name == "generated_ids" || name == "output_ids" || name == "pred_ids" || name == "ids" {
			return true
		}
		list, sure := f.Values(n)
		return sure && len(list) == 1 && f.Kind(list[0]) == syntax.Call && f.isIDs(list[0])
	case syntax.Call:
		switch f.Last(f.First(n)) {
		case "argmax":
			return true
		case "generate":
			return f.Is(f.Receiver(n), "model", ".model") && !strings.Contains(f.Src(n), "output_scores") && !strings.Contains(f.Src(n), "return_dict")
		case "cpu", "detach", "to", "float", "squeeze":
			return f.Last(f.First(n)) != "float" && f.Receiver(n) != 0 && f.isIDs(f.Receiver(n))
		}
	}
	return false
}
