package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// tv206: a file that trains hides every warning of the process: of a scheduler
// that steps first, of autocast that was switched off, of an operation that fell
// back to the CPU.
func tv206() Rule {
	return Rule{
		Code: "TV206", Needs: [][]string{{"filterwarnings(", "simplefilter("}, {"import torch", "from torch"}, {"backward(", ".step(", ".fit(", ".train("}},
		Check: func(f *File, r *Report) {
			for _, name := range []string{"filterwarnings", "simplefilter"} {
				for call := range f.CallsOf(name) {
					if text, _ := f.Str(f.ArgOr(call, 0, "action")); text == "ignore" && f.Is(call, "warnings."+name) && f.Function(call) == f.Root() && f.forAll(call) {
						r.Say(call, "every warning of the process is hidden, those of the framework about a training that is not what it seems among them: name the category and the module")
					}
				}
			}
		},
	}
}

// forAll reports whether a filter names neither a category, a message nor a
// module, and is in no block that undoes it.
func (f *File) forAll(call syntax.Node) bool {
	if f.Arg(call, 1) != 0 || f.Unpacks(call) {
		return false
	}
	for k := range f.ChildrenOf(call, syntax.RoleKeyword) {
		switch string(f.Name(k)) {
		case "category", "message", "module":
			return false
		}
	}
	for p := range f.Ancestors(call) {
		if k := f.Kind(p); k == syntax.With || k == syntax.If {
			return false
		}
	}
	return true
}
