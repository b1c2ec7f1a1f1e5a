package rules

import (
	"iter"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/faultflow"
	"github.com/trainvet/trainvet/analyzers/python/flow"
	"github.com/trainvet/trainvet/analyzers/python/guarded"
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/sites"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// File is what a rule sees of a file: its tree, and what is made of it when a
// rule asks for it first. It is valid until the next file.
type File struct {
	*syntax.Tree
	FileName string // from the root, slash separated
	Test     bool
	Names    *names.Table
	Calls    *calls.Index    // who calls whom, within this file
	Sites    []sites.Site    // in the order of the source
	States   []guarded.State // of Sites

	View   *calls.File // as other files see it
	Across *calls.Tree // resolves names over the tree: Callee(f.View, call); nil: this file alone

	found   Found
	set     *Set
	index   index
	builder flow.Builder
	graphs  map[syntax.Node]*flow.Graph
	profile Profile
	known   bool // the profile is made
	flow    *faultflow.Analyzer
	follows bool // the flow is turned to this file

	modeNames map[string]bool // of maySetMode, for every file
}

// Says reports whether a word of the rule's Needs or Facts stands in the file,
// in comments too. It costs next to nothing.
func (f *File) Says(word string) bool {
	i, ok := f.set.words.numbers[word]
	if !ok {
		panic("the word " + word + " is no rule's")
	}
	return f.found.has.has(i)
}

// Faults follows faults through the file, and from other files into it.
func (f *File) Faults() *faultflow.Analyzer {
	if !f.follows {
		f.follows = true
		f.flow.Across = f.Across
		f.flow.Harmless = func(s *sites.Site) bool {
			return f.fromHost(s)
		}
		f.flow.Reset(f.View, f.Sites)
	}
	return f.flow
}

// fromHost reports whether the ids of a decode never left the host.
func (f *File) fromHost(s *sites.Site) bool {
	for i := range f.Sites {
		if f.Sites[i].Call == s.Call {
			return s.Kind == site.Decode && f.States[i].State == site.Guarded && f.States[i].Guard == 0
		}
	}
	return false
}

// Graph is the flow graph of the function around a node, of the module where
// there is none. It may be cut: see flow.Graph.Cut.
func (f *File) Graph(n syntax.Node) *flow.Graph {
	def := f.Function(n)
	if g := f.graphs[def]; g != nil {
		return g
	}
	g := f.builder.Build(f.Tree, def, nil)
	f.graphs[def] = g
	return g
}

// Function is the function around a node, else the module. A function is not
// around itself; a lambda is part of what it stands in.
func (f *File) Function(n syntax.Node) syntax.Node {
	if def := f.Names.Function(n); def != 0 {
		return def
	}
	return f.Root()
}

// All are the nodes of a kind, in the order of the source. Not for kinds that
// are most of a tree (names, attributes, constants, calls): walk for those, or
// ask for the calls of a name.
func (f *File) All(k syntax.Kind) iter.Seq[syntax.Node] {
	f.index.make(f.Tree)
	return f.index.chain(f.index.kinds[k])
}

// CallsOf are the calls whose callee ends in this name, in the order of the
// source: of "step" those of x.y.step(...) and step(...).
func (f *File) CallsOf(name string) iter.Seq[syntax.Node] {
	f.index.make(f.Tree)
	return f.index.chain(f.index.named(f.Tree, name))
}

// Within are the nodes at and below n that are evaluated when n is: functions,
// lambdas and classes in it are left out, n itself is not.
func (f *File) Within(n syntax.Node) iter.Seq[syntax.Node] {
	return func(yield func(syntax.Node) bool) {
		f.Walk(n, func(c syntax.Node) syntax.Walk {
			if k := f.Kind(c); c != n && (k.IsFunction() || k == syntax.Lambda || k == syntax.ClassDef) {
				return syntax.Over
			}
			if !yield(c) {
				return syntax.Stop
			}
			return syntax.Into
		})
	}
}

// Holds reports whether a node lies at or below another.
func (f *File) Holds(outer, n syntax.Node) bool {
	for ; n != 0; n = f.Parent(n) {
		if n == outer {
			return true
		}
	}
	return false
}

// Loop is the innermost loop of the same function whose body a node stands in;
// 0: none.
func (f *File) Loop(n syntax.Node) syntax.Node {
	for p := f.Parent(n); p != 0; n, p = p, f.Parent(p) {
		switch k := f.Kind(p); {
		case k == syntax.For, k == syntax.AsyncFor, k == syntax.While:
			if r := f.Role(n); r == syntax.RoleBody || r == syntax.RoleTest {
				return p
			}
		case k.IsFunction(), k == syntax.ClassDef:
			return 0
		}
	}
	return 0
}
