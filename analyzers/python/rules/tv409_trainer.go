package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// trainersOwnModel reports compute_loss methods of a Trainer that call self.model:
// what Trainer hands them is the wrapped one, and they leave it unused.
func (f *File) trainersOwnModel(r *Report) {
	for def := range f.All(syntax.FunctionDef) {
		if string(f.Name(def)) != "compute_loss" || !f.isTrainer(f.Names.Class(f.Child(def, syntax.RoleBody))) {
			continue
		}
		handed := f.Next(f.Child(def, syntax.RoleParam))
		if string(f.Name(handed)) != "model" || string(f.Name(f.Next(handed))) != "inputs" || f.usesName(def, f.Name(handed)) {
			continue
		}
		for _, call := range f.calls(def, "model") {
			fun := f.First(call)
			if f.Kind(fun) != syntax.Attribute || !f.Names.IsSelf(f.First(fun)) || withoutGradients(f.Tree, call) {
				continue
			}
			name := string(f.Name(handed))
			r.Add(Finding{
				At:      call,
				Message: f.Src(fun) + " is called and not " + name + ", which Trainer has wrapped for several ranks: the gradients are not averaged, and each rank trains a model of its own",
				Related: []Related{{At: handed, Message: "the wrapped model comes in here, and nothing uses it"}},
				Fixes:   []Fix{{Message: "call the wrapper", Edits: []Edit{f.Replace(fun, name)}}},
			})
			break
		}
	}
}

// isTrainer reports whether a class is made of a Trainer, of transformers or of
// this tree: that which has its compute_loss is one in the end.
func (f *File) isTrainer(class syntax.Node) bool {
	for base := range f.ChildrenOf(class, syntax.RoleBase) {
		if strings.Contains(f.Last(base), "Trainer") {
			return true
		}
	}
	return false
}

// usesName reports whether the body of a function reads a name.
func (f *File) usesName(def syntax.Node, name []byte) bool {
	named := map[string]bool{string(name): true}
	for s := range f.ChildrenOf(def, syntax.RoleBody) {
		if mentions(f.Tree, s, named) {
			return true
		}
	}
	return false
}
