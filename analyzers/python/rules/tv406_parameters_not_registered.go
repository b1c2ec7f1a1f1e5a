package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv406: a module in a plain list or dict is not found by parameters(): it is
// not trained, not moved and not saved.
func tv406() Rule {
	return Rule{
		Code: "TV406",
		// As such containers begin, on one line or as formatters break them: most
		// files that define a network are not parsed for this rule.
		Needs: [][]string{{"= [nn.", "= [torch.nn.", "= [\n            nn.", "= [\n            torch.nn.", "= (nn.", ": nn.Linear(", ": nn.Embedding(", ": nn.LayerNorm(", ": nn.Conv", ": nn.Parameter(", ": nn.BatchNorm", ": nn.Sequential(", ": nn.LSTM(", ": nn.GRU(", ".append(nn.", ".append(torch.nn."}},
		Check: func(f *File, r *Report) {
			for n := range f.All(syntax.Assign) {
				target, value := f.Child(n, syntax.RoleTarget), f.Child(n, syntax.RoleValue)
				if f.Kind(target) != syntax.Attribute || !f.Names.IsSelf(f.First(target)) {
					continue
				}
				layer := f.layerIn(value)
				if layer == 0 {
					layer = f.layerAdded(target, value)
				}
				if layer != 0 && f.isModuleClass(f.Names.Class(n)) && f.usedAsIs(n, target) {
					r.Add(f.notRegistered(target, value, layer))
				}
			}
		},
	}
}

// layerIn is a layer with parameters that a list, a dict or a comprehension
// holds.
func (f *File) layerIn(n syntax.Node) syntax.Node {
	var items []syntax.Node
	switch f.Kind(n) {
	case syntax.List, syntax.ListComp, syntax.Tuple:
		for c := range f.ChildrenOf(n, syntax.RoleElement) {
			items = append(items, c)
		}
	case syntax.Dict, syntax.DictComp:
		for c := range f.ChildrenOf(n, syntax.RoleValue) {
			items = append(items, c)
		}
	}
	for _, c := range items {
		if f.Kind(c) == syntax.Call && f.isLayer(c) && !f.ofParts(c) {
			return c
		}
	}
	return 0
}

// layerAdded is a layer that the function which makes an empty list appends to it.
func (f *File) layerAdded(target, value syntax.Node) syntax.Node {
	if f.Kind(value) != syntax.List || f.First(value) != 0 {
		return 0
	}
	for call := range f.CallsOf("append") {
		if a := f.Arg(call, 0); f.Same(f.Receiver(call), target) && f.Function(call) == f.Function(target) && f.Kind(a) == syntax.Call && f.isLayer(a) && !f.ofParts(a) {
			return a
		}
	}
	return 0
}

// ofParts reports whether a layer holds nothing but parts of other modules, which
// are registered there.
func (f *File) ofParts(call syntax.Node) bool {
	some := false
	for a := range f.ChildrenOf(call, syntax.RoleArg) {
		if f.Kind(a) == syntax.Starred {
			a = f.First(a)
		}
		if f.Kind(a) != syntax.Attribute {
			return false
		}
		some = true
	}
	return some && listed("layer-container", f.Last(f.First(call)))
}

// isLayer knows torch's layers that have parameters, and nn.Parameter.
func (f *File) isLayer(call syntax.Node) bool {
	path := f.Path(call)
	name, ok := strings.CutPrefix(path, "torch.nn.")
	if !ok {
		if name, ok = strings.CutPrefix(path, "nn."); !ok {
			return false
		}
	}
	return listed("layer-class", name)
}

func (f *File) isModuleClass(class syntax.Node) bool {
	if class == 0 {
		return false
	}
	for b := range f.ChildrenOf(class, syntax.RoleBase) {
		if f.Last(b) == "Module" || f.Last(b) == "LightningModule" || f.Last(b) == "PreTrainedModel" {
			return true
		}
	}
	for base := range f.Names.Bases(class) {
		if base != class && f.isModuleClass(base) {
			return true
		}
	}
	return false
}

// usedAsIs reports whether an attribute is read in other methods of its class,
// and nothing of the class registers it or makes something else of it.
func (f *File) usedAsIs(assign, target syntax.Node) bool {
	class, name := f.Names.Class(assign), string(f.Name(target))
	used, kept := false, false
	f.Walk(class, func(n syntax.Node) syntax.Walk {
		switch f.Kind(n) {
		case syntax.Attribute:
			if n != target && string(f.Name(n)) == name && f.Names.IsSelf(f.First(n)) {
				if f.Function(n) == f.Function(assign) || f.Context(n) != syntax.Load {
					kept = kept || f.Context(n) != syntax.Load || f.Kind(f.Parent(n)) == syntax.Call || f.Kind(f.Parent(n)) == syntax.Starred
				} else {
					used = true
					kept = kept || f.handsOut(n)
				}
			}
		case syntax.Call:
			switch f.Last(f.First(n)) {
			case "add_module", "register_module", "register_parameter", "setattr", "__setattr__":
				kept = true
			}
		}
		return syntax.Into
	})
	return used && !kept
}

// handsOut reports whether a method gives back what an attribute holds, as it is
// or in a list: whoever asks has the parameters.
func (f *File) handsOut(attr syntax.Node) bool {
	for n := f.Parent(attr); n != 0; n = f.Parent(n) {
		switch f.Kind(n) {
		case syntax.Subscript, syntax.List, syntax.Tuple, syntax.Starred:
		case syntax.Return:
			return strings.Contains(strings.ToLower(string(f.Name(f.Function(n)))), "train") || strings.Contains(strings.ToLower(string(f.Name(f.Function(n)))), "param")
		default:
			return false
		}
	}
	return false
}

func (f *File) notRegistered(target, value, layer syntax.Node) Finding {
	out := Finding{
		At:      target,
		Message: "self." + string(f.Name(target)) + " holds layers in a plain container: parameters() does not find them, so they are not trained, not moved and not saved",
		Related: []Related{{At: layer, Message: "a layer with parameters"}},
	}
	kind := "ModuleList"
	if k := f.Kind(value); k == syntax.Dict || k == syntax.DictComp {
		kind = "ModuleDict"
	}
	if f.Last(f.First(layer)) == "Parameter" {
		kind = strings.Replace(kind, "Module", "Parameter", 1)
	}
	if head := f.Src(f.First(layer)); strings.Contains(head, ".") && f.Kind(value) != syntax.Tuple {
		head = head[:strings.LastIndexByte(head, '.')]
		out.Fixes = []Fix{{Message: "keep them in a " + kind, Edits: []Edit{f.Replace(value, head+"."+kind+"("+f.Src(value)+")")}}}
	}
	return out
}
