package calls

import (
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// Index is of one file. Its memory is used again.
type Index struct {
	tree    *syntax.Tree
	names   *names.Table
	callers map[syntax.Node][]syntax.Node
}

// Reset turns to another file.
func (x *Index) Reset(tree *syntax.Tree, table *names.Table) {
	x.tree, x.names = tree, table
	if x.callers == nil {
		x.callers = map[syntax.Node][]syntax.Node{}
	}
	clear(x.callers)
}

// Callee is the function of this file that a call or a value calls. Method
// says that its first parameter is filled by the object. 0: it is not known.
func (x *Index) Callee(n syntax.Node) (def syntax.Node, method bool) {
	fun := n
	if x.tree.Kind(n) == syntax.Call {
		fun = x.tree.Child(n, syntax.RoleFunc)
	}
	switch x.tree.Kind(fun) {
	case syntax.Name:
		return x.named(fun), false
	case syntax.Attribute:
		object := x.tree.First(fun)
		if !x.names.IsSelf(object) && !x.isSuper(object) {
			return 0, false
		}
		class := x.names.Class(fun)
		if x.isSuper(object) {
			for base := range x.names.Bases(class) {
				if def, method = x.method(base, x.tree.Name(fun)); def != 0 {
					return def, method
				}
			}
			return 0, false
		}
		return x.method(class, x.tree.Name(fun))
	}
	return 0, false
}

// method is a method of a class or its bases in this file.
func (x *Index) method(class syntax.Node, name []byte) (def syntax.Node, method bool) {
	for b := range x.names.Attr(class, name) {
		if b.How == names.Function {
			return b.Value, !x.isStatic(b.Value)
		}
	}
	return 0, false
}

// named is the function that a name stands for, if it stands for no other.
func (x *Index) named(n syntax.Node) syntax.Node {
	def := syntax.Node(0)
	for b := range x.names.Lookup(n, x.tree.Name(n)) {
		if b.How != names.Function || def != 0 {
			return 0
		}
		def = b.Value
	}
	return def
}

func (x *Index) isSuper(n syntax.Node) bool {
	return x.tree.Kind(n) == syntax.Call && string(x.tree.Name(x.tree.First(n))) == "super"
}

func (x *Index) isStatic(def syntax.Node) bool {
	for d := range x.tree.ChildrenOf(def, syntax.RoleDecorate) {
		if string(x.tree.Name(d)) == "staticmethod" {
			return true
		}
	}
	return false
}

// Callers are the calls of a function of this file, and the places that hand
// it on.
func (x *Index) Callers(def syntax.Node) []syntax.Node {
	if list, ok := x.callers[def]; ok {
		return list
	}
	var list []syntax.Node
	name, text := string(x.tree.Name(def)), x.tree.Text()
	if name == "" {
		return nil // a lambda
	}
	last := name[len(name)-1]
	for n := x.tree.Root(); int(n) < x.tree.Len(); n++ {
		k := x.tree.Kind(n)
		if k != syntax.Name && k != syntax.Attribute || x.tree.Parent(n) == 0 || text[x.tree.End(n)-1] != last {
			continue // nearly every node
		}
		if x.tree.Context(n) != syntax.Load || string(x.tree.Name(n)) != name {
			continue
		}
		if found, _ := x.Callee(n); found != def {
			continue
		}
		at := n
		if p := x.tree.Parent(n); x.tree.Kind(p) == syntax.Call && x.tree.Role(n) == syntax.RoleFunc {
			at = p
		}
		list = append(list, at)
	}
	x.callers[def] = list
	return list
}

// Argument is what a call hands to a parameter of a function; 0: it is not
// seen.
func (x *Index) Argument(call, def syntax.Node, method bool, param syntax.Node) syntax.Node {
	return argument(x.tree, call, x.tree, def, method, param)
}

// Argument is what a call in a file hands to a parameter of the function; 0: it
// is not seen.
func (fn Func) Argument(in *File, call, param syntax.Node) syntax.Node {
	return argument(in.Syntax, call, fn.File.Syntax, fn.Def, fn.Method, param)
}

// argument finds it where the call stands in one tree and the function in
// another.
func argument(at *syntax.Tree, call syntax.Node, in *syntax.Tree, def syntax.Node, method bool, param syntax.Node) syntax.Node {
	i, byPlace := -1, false
	for p := range in.ChildrenOf(def, syntax.RoleParam) {
		if op := in.Op(p); op != syntax.Positional && op != syntax.PositionalOnly {
			break
		}
		i++
		if p == param {
			byPlace = true
			break
		}
	}
	if method {
		i--
	}
	for a := range at.ChildrenOf(call, syntax.RoleArg) {
		if at.Kind(a) == syntax.Starred || !byPlace {
			break
		}
		if i == 0 {
			return a
		}
		i--
	}
	for k := range at.ChildrenOf(call, syntax.RoleKeyword) {
		if name := at.Name(k); name != nil && string(name) == string(in.Name(param)) {
			return at.Child(k, syntax.RoleValue)
		}
	}
	return 0
}
