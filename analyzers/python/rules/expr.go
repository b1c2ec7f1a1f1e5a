package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// Src is the source of a node.
func (f *File) Src(n syntax.Node) string { return string(f.Source(n)) }

// Last is the last name of an expression: of a.b.c the name c, of f(x)[0] the
// name f. Empty: it has none.
func (f *File) Last(n syntax.Node) string {
	for n != 0 {
		switch f.Kind(n) {
		case syntax.Name, syntax.Attribute:
			return string(f.Name(n))
		case syntax.Call, syntax.Subscript, syntax.Await, syntax.NamedExpr, syntax.Starred:
			n = f.First(n)
		default:
			return ""
		}
	}
	return ""
}

// Receiver is the object that a method is called on: of a.b.step() the node
// a.b. 0: the callee is no attribute.
func (f *File) Receiver(call syntax.Node) syntax.Node {
	if fun := f.First(call); f.Kind(call) == syntax.Call && f.Kind(fun) == syntax.Attribute {
		return f.First(fun)
	}
	return 0
}

// Arg is the positional argument i of a call, from 0; 0: there is none, or an
// unpacked one stands before it.
func (f *File) Arg(call syntax.Node, i int) syntax.Node {
	for a := range f.ChildrenOf(call, syntax.RoleArg) {
		if f.Kind(a) == syntax.Starred {
			return 0
		}
		if i == 0 {
			return a
		}
		i--
	}
	return 0
}

// Keyword is the value of a keyword argument; 0: there is none.
func (f *File) Keyword(call syntax.Node, name string) syntax.Node {
	for k := range f.ChildrenOf(call, syntax.RoleKeyword) {
		if string(f.Name(k)) == name {
			return f.Child(k, syntax.RoleValue)
		}
	}
	return 0
}

// ArgOr is the argument i, else the keyword.
func (f *File) ArgOr(call syntax.Node, i int, name string) syntax.Node {
	if a := f.Arg(call, i); a != 0 {
		return a
	}
	return f.Keyword(call, name)
}

// Unpacks reports whether a call has *args or **kwargs: what it hands over is
// then not all seen.
func (f *File) Unpacks(call syntax.Node) bool {
	for c := range f.Children(call) {
		if f.Kind(c) == syntax.Starred || f.Kind(c) == syntax.Keyword && f.Op(c) == syntax.Unpack {
			return true
		}
	}
	return false
}

// IsTrue and IsFalse report whether a node is that constant.
func (f *File) IsTrue(n syntax.Node) bool  { return f.constant(n, syntax.True) }
func (f *File) IsFalse(n syntax.Node) bool { return f.constant(n, syntax.False) }
func (f *File) IsNone(n syntax.Node) bool  { return f.constant(n, syntax.NoneValue) }

func (f *File) constant(n syntax.Node, op syntax.Op) bool {
	return n != 0 && f.Kind(n) == syntax.Constant && f.Op(n) == op
}

// Str is the value of a text constant.
func (f *File) Str(n syntax.Node) (string, bool) {
	if n == 0 {
		return "", false
	}
	v, ok := f.StringValue(n)
	return string(v), ok && f.Op(n) == syntax.Str
}

// Same reports whether two expressions are written alike.
func (f *File) Same(a, b syntax.Node) bool { return a != 0 && b != 0 && f.Src(a) == f.Src(b) }

// Path is the dotted name that an expression stands for, over the imports of
// the file: of clip(...) behind "from torch.nn.utils import clip_grad_norm_ as
// clip" it is torch.nn.utils.clip_grad_norm_. What is not imported keeps its
// own name: self.model.step. Empty: it is no chain of names.
func (f *File) Path(n syntax.Node) string { return pathOf(f.Tree, f.Names, n) }

// pathOf is Path in any file.
func pathOf(t *syntax.Tree, table *names.Table, n syntax.Node) string {
	switch t.Kind(n) {
	case syntax.Call:
		return pathOf(t, table, t.First(n))
	case syntax.Name:
		return imported(t, table, n)
	case syntax.Attribute:
		if head := pathOf(t, table, t.First(n)); head != "" && t.Kind(t.First(n)) != syntax.Call {
			return head + "." + string(t.Name(n))
		}
	}
	return ""
}

func imported(t *syntax.Tree, table *names.Table, n syntax.Node) string {
	name := string(t.Name(n))
	for b := range table.Lookup(n, t.Name(n)) {
		switch b.How {
		case names.Import:
			if t.AsName(b.Value) != nil {
				return string(t.Name(b.Value))
			}
			return name
		case names.From:
			from := t.Parent(b.Value)
			module := t.Child(from, syntax.RoleModule)
			path := strings.Repeat(".", t.Level(from))
			if module != 0 {
				path += string(t.Name(module)) + "."
			}
			return path + string(t.Name(b.Value))
		}
	}
	return name
}

// Is reports whether an expression, or the callee of a call, stands for one of
// these dotted names: torch.optim.Adam. One that begins with a dot is held
// against the end: .GradScaler.
func (f *File) Is(n syntax.Node, paths ...string) bool {
	if n == 0 {
		return false
	}
	path := f.Path(n)
	for _, p := range paths {
		if path == p || p[0] == '.' && (strings.HasSuffix(path, p) || path == p[1:]) {
			return true
		}
	}
	return false
}

// maxValues bounds how often one name is assigned for Values to follow it.
const maxValues = 16

// Values are what a name, or an attribute of self, is assigned as a whole in
// the scope that binds it: literals, calls, ... sure is false where something
// else binds it too: a parameter, a loop, a tuple that is not taken apart.
func (f *File) Values(n syntax.Node) (list []syntax.Node, sure bool) {
	sure = true
	add := func(b names.Binding) bool {
		switch {
		case b.How == names.Assign && b.Part == names.Whole:
			list = append(list, b.Value)
		case b.How != names.Annotation:
			sure = false
		}
		return len(list) < maxValues
	}
	switch f.Kind(n) {
	case syntax.Name:
		for b := range f.Names.Lookup(n, f.Name(n)) {
			if !add(b) {
				break
			}
		}
	case syntax.Attribute:
		if !f.Names.IsSelf(f.First(n)) {
			return nil, false
		}
		for b := range f.Names.Attr(f.Names.Class(n), f.Name(n)) {
			if !add(b) {
				break
			}
		}
	default:
		return nil, false
	}
	return list, sure && len(list) > 0
}

// Made reports whether a name or attribute of self is assigned a call of one of
// these dotted names: what an object is.
func (f *File) Made(n syntax.Node, paths ...string) bool {
	list, _ := f.Values(n)
	for _, v := range list {
		if f.Kind(v) == syntax.Call && f.Is(v, paths...) {
			return true
		}
	}
	return false
}

// Param is the parameter that a name stands for; 0: it is none.
func (f *File) Param(n syntax.Node) syntax.Node {
	if f.Kind(n) != syntax.Name {
		return 0
	}
	for b := range f.Names.Lookup(n, f.Name(n)) {
		if b.How == names.Param {
			return b.Target
		}
	}
	return 0
}
