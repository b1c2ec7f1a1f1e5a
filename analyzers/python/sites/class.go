package sites

import (
	"slices"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// bySelf judges calls of a class's own decode by the name of the class, and by
// what its method takes.
func (f *Finder) bySelf(call, object syntax.Node) verdict {
	if !f.names.IsSelf(object) && f.tail(object) != "super" {
		return verdict{}
	}
	class := f.names.Class(call)
	if class == 0 {
		return verdict{}
	}
	v := verdict{by: "class " + string(f.tree.Name(class))}
	if f.wide {
		v.sort = f.lineageSort(calls.Symbol{Is: calls.Class, File: f.file, Node: class})
		if v.sort == token || v.sort == latent {
			return v
		}
	}
	for _, name := range f.classNames(class) {
		if v.sort = f.classSort(name); v.sort != unclear && v.sort != processor {
			break
		}
		v.sort = unclear
	}
	if v.sort == unclear && f.decodesIDs(class) {
		v.sort = token
	}
	if a := f.argument(call); v.sort == token && a == pieces || v.sort == unclear && a != unclear {
		v.sort = a
		if a == token && f.holdsMedia(class) {
			v.sort = latent
		}
	}
	return v
}

// decodesIDs reports whether a class has methods that only tokenizers have, or
// takes its decode from one.
func (f *Finder) decodesIDs(class syntax.Node) bool {
	for name := range f.known.tokenClassMethod.Exact() {
		for b := range f.names.Bindings(class, []byte(name)) {
			if b.How == names.Function {
				return true
			}
		}
	}
	for b := range f.names.Bindings(class, []byte("decode")) {
		if b.How == names.Assign && f.tree.Kind(b.Value) == syntax.Attribute && f.named(f.tree.First(b.Value)) == token {
			return true
		}
	}
	return f.decodesByItself(class)
}

// decodesByItself reports whether a class, none of a network, has a decode that
// looks words up.
func (f *Finder) decodesByItself(class syntax.Node) bool {
	if slices.ContainsFunc(f.classNames(class), f.known.moduleClass.Has) {
		return false
	}
	for b := range f.names.Bindings(class, []byte("decode")) {
		if b.How == names.Function && f.looksUp(b.Value) {
			return true
		}
	}
	return false
}

// holdsMedia reports whether a class keeps something that makes media, as a
// vocoder: then its own decode makes media too.
func (f *Finder) holdsMedia(class syntax.Node) bool {
	for name := range f.names.Attributes(class) {
		if f.walk--; f.walk < 0 {
			return false
		}
		if f.known.latentName.Has(f.low.of(name)) {
			return true
		}
	}
	return false
}

// classNames are the names of a class and of its bases.
func (f *Finder) classNames(class syntax.Node) []string {
	list := []string{f.low.of(f.tree.Name(class))}
	for b := range f.tree.ChildrenOf(class, syntax.RoleBase) {
		list = append(list, f.tail(b))
	}
	return list
}
