package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

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
				if f.tellsDevice(p) {
					return true
				}
				r.Say(p.node, "the device is CUDA or the CPU: where the accelerator is another one (mps, xpu) the run goes to the CPU without a word, and its speed is taken for that of the model")
				return true
			})
		},
	}
}

// tellsDevice reports whether the device that was picked is printed or logged:
// print("device", device).
func (f *File) tellsDevice(p picker) bool {
	s := f.statement(p.cuda)
	if f.Kind(s) != syntax.Assign {
		return false
	}
	target := f.Src(f.Child(s, syntax.RoleTarget))
	for _, name := range [...]string{"print", "info", "warning", "log", "print_log"} {
		for call := range f.CallsOf(name) {
			for a := range f.ChildrenOf(call, syntax.RoleArg) {
				if f.speaksOfChain(a, target) {
					return true
				}
			}
		}
	}
	return false
}

// speaksOfChain reports whether an expression shows a name or a chain of names
// itself: in a text or beside one, not as what something is moved to.
func (f *File) speaksOfChain(n syntax.Node, chain string) bool {
	found := false
	f.Walk(n, func(c syntax.Node) syntax.Walk {
		switch k := f.Kind(c); {
		case (k == syntax.Name || k == syntax.Attribute) && f.Src(c) == chain:
			found = true
			return syntax.Stop
		case k == syntax.Call:
			switch f.Last(f.First(c)) {
			case "format", "str", "repr":
			default:
				return syntax.Over
			}
		}
		return syntax.Into
	})
	return found
}
