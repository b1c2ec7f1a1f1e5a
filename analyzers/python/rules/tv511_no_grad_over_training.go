package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// tv511: gradients are switched off around what computes them.
func tv511() Rule {
	return Rule{
		Code:  "TV511",
		Needs: [][]string{{"backward("}, {"no_grad", "inference_mode"}},
		Check: func(f *File, r *Report) {
			for call := range f.CallsOf("backward") {
				if !isBackward(f.Tree, call) || f.inAutograd(call) {
					continue
				}
				if off := f.gradientsOff(call); off != 0 {
					r.Add(Finding{At: call, Message: "gradients are switched off around this backward: it fails, or finds only those that were computed before",
						Related: []Related{{At: off, Message: "switched off here"}}})
				}
			}
		},
	}
}

// inAutograd reports whether a node is part of a function of autograd, where
// gradients are computed by hand.
func (f *File) inAutograd(n syntax.Node) bool {
	class := f.Names.Class(n)
	if class == 0 {
		return false
	}
	for b := range f.ChildrenOf(class, syntax.RoleBase) {
		if f.Last(b) == "Function" {
			return true
		}
	}
	return false
}

// gradientsOff is the with or decorator around a node that switches gradients
// off, where nothing between them switches them on; 0: none.
func (f *File) gradientsOff(n syntax.Node) syntax.Node {
	for c, p := n, f.Parent(n); p != 0; c, p = p, f.Parent(p) {
		switch k := f.Kind(p); {
		case (k == syntax.With || k == syntax.AsyncWith) && f.Role(c) == syntax.RoleBody:
			for item := range f.ChildrenOf(p, syntax.RoleItem) {
				ctx := f.Child(item, syntax.RoleContext)
				switch f.Last(ctx) {
				case "enable_grad", "set_grad_enabled":
					return 0
				case "no_grad", "inference_mode":
					if f.Kind(ctx) == syntax.Call && f.Is(ctx, "torch.no_grad", "torch.inference_mode") && !f.IsFalse(f.ArgOr(ctx, 0, "mode")) {
						return ctx
					}
					return 0
				}
			}
		case k.IsFunction():
			if f.says(p, "enable_grad", "set_grad_enabled") {
				return 0
			}
			for d := range f.ChildrenOf(p, syntax.RoleDecorate) {
				if f.Is(d, "torch.no_grad", "torch.inference_mode") && !(f.Kind(d) == syntax.Call && f.IsFalse(f.ArgOr(d, 0, "mode"))) {
					return d
				}
			}
			return 0
		}
	}
	return 0
}
