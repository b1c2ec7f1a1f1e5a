package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// call reports whether what a call gives is modeless: a layer of torch, an
// object of a class or what a function of the tree gives.
func (s *modeless) call(in *calls.File, n syntax.Node) bool {
	t := in.Syntax
	if inner := wrappedModel(t, n); inner != 0 {
		return s.value(in, inner)
	}
	fun := t.First(n)
	if holds := named("layer-holder", string(t.Name(fun))); holds && s.library(in, fun) {
		return s.each(in, n, syntax.RoleArg)
	}
	switch made := s.across.Symbol(in, fun); made.Is {
	case calls.Class:
		return s.class(made)
	case calls.Function:
		return s.function(made)
	}
	return s.library(in, fun) && !s.drops(in, n)
}

// library reports whether a name is known to stand for what has no mode: of
// torch all that is not listed, of others and of Python what is.
func (s *modeless) library(in *calls.File, n syntax.Node) bool {
	path := pathOf(in.Syntax, in.Names, n)
	head, rest, dotted := strings.Cut(path, ".")
	last := path[strings.LastIndexByte(path, '.')+1:]
	switch {
	case path == "", named("mode-layer", last):
		return false
	case head == "torch":
		return strings.HasPrefix(rest, "nn.") || !strings.Contains(rest, ".") && rest != "load"
	case dotted:
		return named("plain-module", head)
	}
	return in.Names.Resolve(n, []byte(path)) == 0 && named("plain-builtin", path)
}

// drops reports whether a call of a layer asks for dropout, by keyword or, as
// recurrent ones can, as its sixth argument.
func (s *modeless) drops(in *calls.File, call syntax.Node) bool {
	t, n := in.Syntax, 0
	for c := range t.Children(call) {
		switch {
		case t.Role(c) == syntax.RoleKeyword && (t.Op(c) == syntax.Unpack || named("mode-layer", string(t.Name(c)))):
			return true
		case t.Role(c) == syntax.RoleArg:
			n++
		}
	}
	return n > 5 && named("recurrent-layer", string(t.Name(t.First(call))))
}

// class reports whether the objects of a class are modeless: all its bases are
// seen, and nothing in their bodies has a mode.
func (s *modeless) class(class calls.Symbol) bool {
	for c := range s.across.Lineage(class) {
		if !s.first(c.File, c.Node) {
			continue
		}
		for b := range c.File.Syntax.ChildrenOf(c.Node, syntax.RoleBase) {
			path := pathOf(c.File.Syntax, c.File.Names, b)
			if path != "torch.nn.Module" && path != "object" && s.across.Symbol(c.File, b).Is != calls.Class {
				return false
			}
		}
		if !s.body(c.File, c.Node) {
			return false
		}
	}
	return true
}

// function reports whether what a function gives is modeless.
func (s *modeless) function(fn calls.Symbol) bool {
	if !s.first(fn.File, fn.Node) {
		return true
	}
	t := fn.File.Syntax
	for n := range t.Preorder(fn.Node) {
		if t.Kind(n) == syntax.Return && !s.value(fn.File, t.First(n)) {
			return false
		}
	}
	return s.body(fn.File, fn.Node)
}

// body reports whether nothing in a class or function names what has a mode, and
// all that it calls is known to have none.
func (s *modeless) body(in *calls.File, def syntax.Node) bool {
	t := in.Syntax
	for n := range t.Preorder(def) {
		switch t.Kind(n) {
		case syntax.Name, syntax.Attribute, syntax.Keyword:
			if named("mode-layer", string(t.Name(n))) {
				return false
			}
		case syntax.Call:
			if !s.calls(in, n) {
				return false
			}
		}
	}
	return true
}

// calls reports whether a call within a model is known to run and to make
// nothing that has a mode.
func (s *modeless) calls(in *calls.File, n syntax.Node) bool {
	t := in.Syntax
	fun := t.First(n)
	switch t.Kind(fun) {
	case syntax.Subscript:
		return s.value(in, fun)
	case syntax.Name:
		if s.across.Symbol(in, fun).Is == calls.Class || s.across.Symbol(in, fun).Is == calls.Function {
			return s.call(in, n)
		}
		return (s.library(in, fun) || s.name(in, fun, string(t.Name(fun)))) && s.holdsSeen(in, n)
	case syntax.Attribute:
		return s.method(in, n, fun) && s.holdsSeen(in, n)
	}
	return false
}

// holdsSeen reports whether a container of layers is given such as are seen.
func (s *modeless) holdsSeen(in *calls.File, call syntax.Node) bool {
	t := in.Syntax
	holds := named("layer-holder", string(t.Name(t.First(call)))) && strings.HasPrefix(pathOf(t, in.Names, t.First(call)), "torch.nn.")
	return !s.drops(in, call) && (!holds || s.each(in, call, syntax.RoleArg))
}

// method is calls for what is called by a chain of names.
func (s *modeless) method(in *calls.File, call, fun syntax.Node) bool {
	t := in.Syntax
	object := t.First(fun)
	for held := object; t.Kind(held) == syntax.Attribute; held = t.First(held) {
		if in.Names.IsSelf(t.First(held)) {
			return s.attr(in, in.Names.Class(held), string(t.Name(held))) // self.encoder.encode(x)
		}
	}
	if t.Kind(object) == syntax.Name && in.Names.IsSelf(object) {
		class := calls.Symbol{Is: calls.Class, File: in, Node: in.Names.Class(call)}
		for range s.across.Attr(class, t.Name(fun)) {
			if s.across.Method(class, t.Name(fun)).Def == 0 {
				return s.attr(in, class.Node, string(t.Name(fun)))
			}
			break
		}
		return true // a method, of the class or of torch's
	}
	switch s.across.Symbol(in, fun).Is {
	case calls.Class, calls.Function:
		return s.call(in, call)
	}
	if isImported(in, fun) {
		return s.library(in, fun)
	}
	return string(t.Name(fun)) != "forward"
}

// isImported reports whether a chain of names begins with what an import brings.
func isImported(in *calls.File, n syntax.Node) bool {
	t := in.Syntax
	for t.Kind(n) == syntax.Attribute {
		n = t.First(n)
	}
	if t.Kind(n) != syntax.Name {
		return false
	}
	for b := range in.Names.Lookup(n, t.Name(n)) {
		if b.How == names.Import || b.How == names.From {
			return true
		}
	}
	return false
}
