package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// modeCall says which mode a call of train() or eval() sets; ok is false for
// any other call. A mode that is computed counts as training: somebody chose it.
func modeCall(t *syntax.Tree, call syntax.Node) (off, ok bool) {
	fun := t.First(call)
	if t.Kind(fun) != syntax.Attribute {
		return false, false
	}
	arg := t.Child(call, syntax.RoleArg)
	if k := t.Child(call, syntax.RoleKeyword); arg == 0 && k != 0 {
		if string(t.Name(k)) != "mode" {
			return false, false
		}
		arg = t.Child(k, syntax.RoleValue)
	} else if k != 0 {
		return false, false // trainer.train(data, epochs=3)
	}
	if arg != 0 && t.Next(arg) != 0 && t.Role(t.Next(arg)) == syntax.RoleArg {
		return false, false
	}
	switch string(t.Name(fun)) {
	case "eval":
		return true, arg == 0
	case "train":
		return arg != 0 && t.Kind(arg) == syntax.Constant && t.Op(arg) == syntax.False, true
	}
	return false, false
}

// sets is modeCall for calls that mean the method of a module: self.train() of a
// trainer is another function.
func (m *modeFlow) sets(u *modeUnit, call syntax.Node) (off, ok bool) {
	off, ok = modeCall(u.tree, call)
	if ok && u.tree.Kind(u.tree.First(u.tree.First(call))) == syntax.Name && m.callee(u.fn.File, call).Def != 0 {
		return false, false
	}
	return off, ok
}

// isBackward reports whether a call computes gradients to train with.
func isBackward(t *syntax.Tree, call syntax.Node) bool {
	fun := t.First(call)
	name := string(t.Name(fun))
	return t.Kind(fun) == syntax.Attribute && (name == "backward" || name == "manual_backward") && !isKernel(t, call)
}

// isKernel reports whether a call of backward() gets more than that of a tensor
// takes: it is one of an extension, which computes gradients by itself.
func isKernel(t *syntax.Tree, call syntax.Node) bool {
	n := 0
	for range t.ChildrenOf(call, syntax.RoleArg) {
		n++
	}
	return n > 3
}
