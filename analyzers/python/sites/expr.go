package sites

import (
	"bytes"
	"iter"

	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tail is the last name of an expression, in lower case: of a.b.c the name c,
// of f(x)[0] the name f. Empty: it has none.
func (f *Finder) tail(n syntax.Node) string {
	for n != 0 {
		switch f.tree.Kind(n) {
		case syntax.Name, syntax.Attribute:
			return f.low.of(f.tree.Name(n))
		case syntax.Call, syntax.Subscript, syntax.Await, syntax.NamedExpr, syntax.Starred:
			n = f.tree.First(n)
		default:
			return ""
		}
	}
	return ""
}

// key is the constant text that an expression is subscripted with; empty: none.
func (f *Finder) key(n syntax.Node) string {
	if f.tree.Kind(n) != syntax.Subscript {
		return ""
	}
	if v, ok := f.tree.StringValue(f.tree.Child(n, syntax.RoleSlice)); ok {
		return f.low.of(v)
	}
	return ""
}

// before is the name before the last one: of a.b.c the name b.
func (f *Finder) before(n syntax.Node) string {
	for {
		switch f.tree.Kind(n) {
		case syntax.Attribute:
			return f.tail(f.tree.First(n))
		case syntax.Call, syntax.Subscript, syntax.Await:
			n = f.tree.First(n)
		default:
			return ""
		}
	}
}

// dotted writes a chain of names, in lower case; ok is false where something
// else is in it.
func (f *Finder) dotted(n syntax.Node) (string, bool) {
	switch f.tree.Kind(n) {
	case syntax.Name:
		return f.low.of(f.tree.Name(n)), true
	case syntax.Attribute:
		head, ok := f.dotted(f.tree.First(n))
		return head + "." + f.low.of(f.tree.Name(n)), ok
	}
	return "", false
}

// function is the callee of a call; 0: the node is none.
func (f *Finder) function(call syntax.Node) syntax.Node {
	if f.tree.Kind(call) != syntax.Call {
		return 0
	}
	return f.tree.Child(call, syntax.RoleFunc)
}

func (f *Finder) args(call syntax.Node) iter.Seq[syntax.Node] {
	return f.tree.ChildrenOf(call, syntax.RoleArg)
}

// arg is the positional argument i of a call; 0: there is none.
func (f *Finder) arg(call syntax.Node, i int) syntax.Node {
	for a := range f.args(call) {
		if i == 0 {
			return a
		}
		i--
	}
	return 0
}

// count counts positional arguments and keywords.
func (f *Finder) count(call syntax.Node) (positional, keywords int) {
	for c := range f.tree.Children(call) {
		switch f.tree.Role(c) {
		case syntax.RoleArg:
			positional++
		case syntax.RoleKeyword:
			keywords++
		}
	}
	return positional, keywords
}

// keyword is the value of a keyword argument; 0: there is none.
func (f *Finder) keyword(call syntax.Node, has func(string) bool) syntax.Node {
	for k := range f.tree.ChildrenOf(call, syntax.RoleKeyword) {
		if name := f.tree.Name(k); name != nil && has(f.low.of(name)) {
			return f.tree.Child(k, syntax.RoleValue)
		}
	}
	return 0
}

// same reports whether two expressions are written alike.
func (f *Finder) same(a, b syntax.Node) bool {
	return string(f.tree.Source(a)) == string(f.tree.Source(b))
}

func (f *Finder) isString(n syntax.Node) bool {
	switch f.tree.Kind(n) {
	case syntax.Constant:
		return f.tree.Op(n) == syntax.Str
	case syntax.JoinedStr:
		return true
	}
	return false
}

// mentions reports whether one of these words stands anywhere in the file, in
// comments too. It looks once a file.
func (f *Finder) mentions(words *catalog.Names) bool {
	if said, ok := f.spoke[words]; ok {
		return said
	}
	said := false
	for word := range words.Exact() {
		said = said || bytes.Contains(f.tree.Text(), []byte(word))
	}
	f.spoke[words] = said
	return said
}

// lookup gives the bindings of a name while the budget lasts.
func (f *Finder) lookup(n syntax.Node, name []byte) iter.Seq[names.Binding] {
	return f.affordable(f.names.Lookup(n, name))
}

// attr gives the bindings of an attribute of self while the budget lasts.
func (f *Finder) attr(class syntax.Node, name []byte) iter.Seq[names.Binding] {
	return f.affordable(f.names.Attr(class, name))
}

func (f *Finder) affordable(all iter.Seq[names.Binding]) iter.Seq[names.Binding] {
	return func(yield func(names.Binding) bool) {
		for b := range all {
			if f.left--; f.left < 0 || !yield(b) {
				return
			}
		}
	}
}

// begins reports whether a chain of attributes, subscripts and calls begins with
// a name: y.data[0] does with y.
func (f *Finder) begins(n, name syntax.Node) bool {
	for n != 0 {
		switch f.tree.Kind(n) {
		case syntax.Name:
			return string(f.tree.Name(n)) == string(f.tree.Name(name))
		case syntax.Attribute, syntax.Subscript, syntax.Call:
			n = f.tree.First(n)
		default:
			return false
		}
	}
	return false
}
