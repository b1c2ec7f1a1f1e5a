package sites

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// joins reports whether a function puts text together from the entries of a
// table, whatever that is called. It is asked of functions alone whose name
// promises text of numbers. One entry alone may be the name of a class, and the
// entries of what the function is given may be the numbers.
func (f *Finder) joins(def syntax.Node) bool {
	entry, text := false, false
	for n := range f.within(def) {
		switch f.tree.Kind(n) {
		case syntax.Subscript:
			entry = entry || f.isTableEntry(n, def)
		case syntax.Call:
			fun := f.function(n)
			text = text || f.tree.Kind(fun) == syntax.Attribute && f.tail(fun) == "join" && f.isString(f.tree.First(fun))
		case syntax.AugAssign:
			text = text || f.startsAsText(f.tree.Child(n, syntax.RoleTarget))
		}
		if entry && text {
			return true
		}
	}
	return false
}

// startsAsText reports whether a name is bound to a string that is spelled out:
// text = "".
func (f *Finder) startsAsText(n syntax.Node) bool {
	if f.tree.Kind(n) != syntax.Name {
		return false
	}
	for b := range f.lookup(n, f.tree.Name(n)) {
		if f.isString(b.Value) {
			return true
		}
	}
	return false
}

// isTableEntry reports whether a subscript takes one entry, by what is computed,
// out of something that the function neither is given nor makes.
func (f *Finder) isTableEntry(n, def syntax.Node) bool {
	if !f.takesOne(n) {
		return false
	}
	object := f.tree.First(n)
	if f.tree.Kind(object) == syntax.Attribute {
		return f.names.IsSelf(f.tree.First(object))
	}
	if f.tree.Kind(object) != syntax.Name {
		return false
	}
	bound := false
	for b := range f.lookup(object, f.tree.Name(object)) {
		if f.holds(def, b.Scope) {
			return false
		}
		bound = true
	}
	return bound
}
