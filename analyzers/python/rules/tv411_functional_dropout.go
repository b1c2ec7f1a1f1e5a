package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv411: the functional dropout does not know the mode of the model. Without
// the flag it drops in evaluation too.
func tv411() Rule {
	return Rule{
		Code:  "TV411",
		Needs: [][]string{{"F.dropout", "functional.dropout", "import dropout", "F.alpha_dropout"}},
		Check: func(f *File, r *Report) {
			for _, name := range []string{"dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout"} {
				for call := range f.CallsOf(name) {
					if f.dropsAlways(call, name) {
						r.Add(f.alwaysDrops(call))
					}
				}
			}
		},
	}
}

// dropsAlways reports whether a functional dropout of a module has no flag, and
// nothing around it asks for the mode.
func (f *File) dropsAlways(call syntax.Node, name string) bool {
	if !f.Is(call, "torch.nn.functional."+name) || f.Unpacks(call) || f.Keyword(call, "training") != 0 || f.Arg(call, 2) != 0 {
		return false
	}
	class := f.Names.Class(call)
	if !f.isModuleClass(class) && !f.isLayerByName(class) {
		return false
	}
	if p := f.ArgOr(call, 1, "p"); p != 0 && (f.Src(p) == "0" || f.Src(p) == "0.0" || strings.Contains(f.Src(p), "training") || f.Param(p) != 0) {
		return false // of a parameter the callers decide
	}
	if f.meansTo(call, class) {
		return false
	}
	for n, p := call, f.Parent(call); p != 0 && !f.Kind(p).IsFunction(); n, p = p, f.Parent(p) {
		switch f.Kind(p) {
		case syntax.If, syntax.IfExp, syntax.BoolOp:
			if test := f.Child(p, syntax.RoleTest); test != n && strings.Contains(strings.ToLower(f.Src(f.First(p))+f.Src(test)), "train") {
				return false
			}
		}
	}
	return !f.leavesUnlessTraining(call)
}

// meansTo reports whether dropping in evaluation is meant: the line says so, as
// the net before a speech decoder and Monte Carlo dropout do by their names.
func (f *File) meansTo(call, class syntax.Node) bool {
	end := f.End(call)
	for end < len(f.Text()) && f.Text()[end] != '\n' {
		end++
	}
	text := strings.ToLower(string(f.Text()[f.End(call):end]))
	name := strings.ToLower(string(f.Name(class)) + " " + string(f.Name(f.Names.Function(call))))
	return strings.Contains(text, "always") || strings.Contains(name, "prenet") || strings.Contains(name, "mc_drop") || strings.Contains(name, "mcdrop") || strings.Contains(name, "monte")
}

// isLayerByName knows classes whose base is a network of another file.
func (f *File) isLayerByName(class syntax.Node) bool {
	if class == 0 {
		return false
	}
	for b := range f.ChildrenOf(class, syntax.RoleBase) {
		if name := f.Last(b); strings.HasSuffix(name, "Model") || strings.HasSuffix(name, "Layer") || strings.HasSuffix(name, "Net") || strings.HasSuffix(name, "Encoder") || strings.HasSuffix(name, "Decoder") {
			return true
		}
	}
	return false
}

// leavesUnlessTraining: "if not self.training: return x" stands before it, or
// the value that it drops with is made from the mode.
func (f *File) leavesUnlessTraining(call syntax.Node) bool {
	if p := f.ArgOr(call, 1, "p"); f.Kind(p) == syntax.Name {
		list, _ := f.Values(p)
		for _, v := range list {
			if strings.Contains(f.Src(v), "training") {
				return true
			}
		}
	}
	for n := call; n != 0 && !f.Kind(n).IsFunction(); n = f.Parent(n) {
		for c := range f.ChildrenOf(f.Parent(n), f.Role(n)) {
			if c == n {
				break
			}
			if f.Kind(c) == syntax.If && f.jumps(f.lastOf(c, syntax.RoleBody)) && strings.Contains(f.Src(f.Child(c, syntax.RoleTest)), "training") {
				return true
			}
		}
	}
	return false
}

func (f *File) alwaysDrops(call syntax.Node) Finding {
	out := Finding{At: call, Message: "dropout without its training flag is on in evaluation too: the metric is that of a model with parts switched off at random"}
	def := f.Names.Function(call)
	self := f.Child(def, syntax.RoleParam)
	if self != 0 && string(f.Name(self)) == "self" {
		out.Fixes = []Fix{{Message: "follow the mode of the module", Edits: []Edit{{f.End(call) - 1, f.End(call) - 1, f.separator(call) + "training=self.training"}}}}
	}
	return out
}

// separator is what stands between the last argument of a call and one more.
func (f *File) separator(call syntax.Node) string {
	inside := strings.TrimRight(f.Src(call)[:len(f.Src(call))-1], " \t\r\n")
	if strings.HasSuffix(inside, ",") || strings.HasSuffix(inside, "(") {
		return ""
	}
	return ", "
}
