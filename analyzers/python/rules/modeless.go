package rules

import (
	"bytes"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// modeless finds out whether a model gives the same in either mode: all that it
// is made of is seen, over calls, classes and files, and nothing of it asks for
// the mode. Whatever is not seen may ask: it is never taken to be modeless.
type modeless struct {
	across *calls.Tree
	open   map[modelessKey]bool // looked at: what leads back to itself adds nothing
	left   int                  // what may still be looked at
}

type modelessKey struct {
	file, name string
	node       syntax.Node
}

// maxModeless bounds what is looked at for one model.
const maxModeless = 4096

// modeless reports whether a model of a function is seen to give the same in
// either mode.
func (m *modeFlow) modeless(u *modeUnit, key string) bool {
	if m.f.Across == nil || bytes.Contains(u.tree.Text(), []byte(".training")) {
		return false
	}
	s := modeless{m.f.Across, map[modelessKey]bool{}, maxModeless}
	in, at := u.fn.File, u.tree.Child(u.fn.Def, syntax.RoleBody)
	head, attr, held := strings.Cut(key, ".")
	class := in.Names.Class(at)
	switch own := class != 0 && u.tree.Parent(u.fn.Def) == class && head == firstParam(u.tree, u.fn.Def); {
	case strings.ContainsAny(key, "[") || strings.Contains(attr, "."):
		return false
	case !held && own:
		return s.class(calls.Symbol{Is: calls.Class, File: in, Node: class})
	case !held:
		return s.name(in, at, head)
	default:
		return own && s.attr(in, class, attr)
	}
}

// first reports whether a node is looked at for the first time.
func (s *modeless) first(in *calls.File, n syntax.Node) bool { return s.firstOf(in, n, "") }

// firstOf is first for one name of a scope.
func (s *modeless) firstOf(in *calls.File, n syntax.Node, name string) bool {
	key := modelessKey{in.Name, name, n}
	if s.open[key] {
		return false
	}
	s.open[key] = true
	s.left--
	return true
}

// value reports whether what an expression gives, and all that it holds, is
// modeless.
func (s *modeless) value(in *calls.File, n syntax.Node) bool {
	t := in.Syntax
	if n == 0 || s.left <= 0 {
		return false
	}
	switch t.Kind(n) {
	case syntax.Constant:
		return true
	case syntax.Name:
		return s.name(in, n, string(t.Name(n)))
	case syntax.Attribute:
		if in.Names.IsSelf(t.First(n)) {
			return s.attr(in, in.Names.Class(n), string(t.Name(n)))
		}
		return s.library(in, n)
	case syntax.Call:
		return s.call(in, n)
	case syntax.Starred, syntax.Subscript:
		return s.value(in, t.First(n))
	case syntax.List, syntax.Tuple, syntax.ListComp, syntax.GeneratorExp:
		return s.each(in, n, syntax.RoleElement)
	case syntax.Dict, syntax.DictComp:
		return s.each(in, n, syntax.RoleValue)
	case syntax.IfExp:
		return s.each(in, n, syntax.RoleBody) && s.each(in, n, syntax.RoleOrElse)
	case syntax.BinOp:
		return s.each(in, n, syntax.RoleLeft) && s.each(in, n, syntax.RoleRight)
	}
	return false
}

func (s *modeless) each(in *calls.File, n syntax.Node, r syntax.Role) bool {
	for c := range in.Syntax.ChildrenOf(n, r) {
		if !s.value(in, c) {
			return false
		}
	}
	return true
}

// name reports whether all that a name is bound to is modeless, and what is put
// into it.
func (s *modeless) name(in *calls.File, at syntax.Node, name string) bool {
	some := false
	for b := range in.Names.Lookup(at, []byte(name)) {
		some = true
		if !s.binding(in, at, b) {
			return false
		}
	}
	return some && s.putInto(in, in.Names.Resolve(at, []byte(name)), name)
}

// attr is name for an attribute of the objects of a class.
func (s *modeless) attr(in *calls.File, class syntax.Node, name string) bool {
	some := false
	for at, b := range s.across.Attr(calls.Symbol{Is: calls.Class, File: in, Node: class}, []byte(name)) {
		some = true
		if !s.binding(at, b.Target, b) {
			return false
		}
	}
	return some && s.putInto(in, class, "self."+name)
}

func (s *modeless) binding(in *calls.File, at syntax.Node, b names.Binding) bool {
	switch b.How {
	case names.Annotation:
		return true
	case names.Assign, names.Augment, names.Loop:
		return b.Part == names.Whole && b.Value != 0 && (!s.first(in, b.Target) || s.value(in, b.Value))
	case names.Param:
		return s.handed(in, b.Target)
	case names.From, names.Import:
		if v := s.across.Symbol(in, at); v.Is == calls.Value {
			return !s.first(v.File, v.Node) || s.value(v.File, v.Node)
		}
		return in.Syntax.Kind(at) == syntax.Name && s.library(in, at)
	}
	return false
}

// handed reports whether all callers of a function hand it what is modeless.
func (s *modeless) handed(in *calls.File, param syntax.Node) bool {
	if !s.first(in, param) {
		return true
	}
	t := in.Syntax
	fn := calls.Func{File: in, Def: t.Parent(param)}
	if !t.Kind(fn.Def).IsFunction() || t.Kind(t.Parent(fn.Def)) == syntax.ClassDef {
		return false
	}
	callers := s.across.Callers(fn)[0]
	for _, c := range callers {
		if c.File.Syntax.Kind(c.Node) != syntax.Call || !s.value(c.File, fn.Argument(c.File, c.Node, param)) {
			return false
		}
	}
	return len(callers) > 0
}

// putInto reports whether all layers are modeless that a scope puts into an
// object behind its making: net.add_module("drop", ...), net.head = ...
func (s *modeless) putInto(in *calls.File, scope syntax.Node, object string) bool {
	if !s.firstOf(in, scope, object) {
		return true
	}
	t := in.Syntax
	for n := range t.Preorder(scope) {
		switch t.Kind(n) {
		case syntax.Call:
			if fun := t.First(n); t.Kind(fun) == syntax.Attribute && named("layer-adder", string(t.Name(fun))) && covers(object, chainOf(t, t.First(fun))) && !s.each(in, n, syntax.RoleArg) {
				return false
			}
		case syntax.Assign:
			target := t.Child(n, syntax.RoleTarget)
			if k := t.Kind(target); (k == syntax.Attribute || k == syntax.Subscript) && covers(object, chainOf(t, t.First(target))) && !s.value(in, t.Child(n, syntax.RoleValue)) {
				return false
			}
		}
	}
	return true
}
