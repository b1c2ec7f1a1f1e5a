package faultflow

import (
	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/flow"
	"github.com/trainvet/trainvet/analyzers/python/sites"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// Kind of a source: what raises the fault.
type Kind uint8

// The kinds, the most certain first.
const (
	Guard    Kind = iota + 1 // a function that checks and raises
	Decode                   // a site, which trainvet run guards
	Step                     // a site
	Backward                 // loss.backward()
	Generate                 // model.generate()
	Stored                   // a decode of ids of a data set, which passed a device rarely
	Host                     // a decode of ids that never left the host: no fault is found there
)

// Hop is a place on the way of a fault: in the file that is looked at a node,
// in another one a position.
type Hop struct {
	Node syntax.Node
	At   site.Position
	Name string // of the function that is called
}

// Source is where a fault comes from: the first hop stands in the try, the last
// one is what raises.
type Source struct {
	Kind Kind
	Hops []Hop
}

// Direct reports whether what raises stands in the try itself.
func (s *Source) Direct() bool { return len(s.Hops) == 1 }

// Name is how what raises is called.
func (s *Source) Name() string { return s.Hops[len(s.Hops)-1].Name }

// Analyzer follows faults. It is for one goroutine; its memory is used again.
type Analyzer struct {
	// Across follows calls into other files; nil: none.
	Across *calls.Tree
	// Guards says of the name of a function that it is a guard; nil: trainvet's
	// alone are.
	Guards func(name string) bool

	// Harmless says of a site of the file that no fault can be found there; nil:
	// of none.
	Harmless func(*sites.Site) bool

	known   lists
	finder  *sites.Finder
	here    *unit
	there   map[string]*unit
	sources map[key]*Source // of functions of other files
}

// key is a function and how far it is followed: what is found must not depend
// on who asked before.
type key struct {
	file  string
	def   syntax.Node
	depth int
}

// unit is a file with what is known of it.
type unit struct {
	file      *calls.File
	tree      *syntax.Tree
	local     bool
	index     calls.Index
	sites     map[syntax.Node]Kind // calls
	builder   flow.Builder
	graphs    map[syntax.Node]*flow.Graph
	handlers  map[syntax.Node]fate
	raising   map[syntax.Node]bool // functions that never return
	returning map[given]bool
	sources   map[key]*Source
}

// given is a function whose parameter is a fault.
type given struct {
	def   syntax.Node
	param string
}

// New makes an Analyzer.
func New() *Analyzer {
	return &Analyzer{known: newLists(catalog.Python()), there: map[string]*unit{}, sources: map[key]*Source{}}
}

// Reset turns to another file, whose sites are found.
func (a *Analyzer) Reset(file *calls.File, found []sites.Site) {
	a.here = a.unit(file, found, a.Harmless)
	a.here.local = true
}

func (a *Analyzer) unit(file *calls.File, found []sites.Site, harmless func(*sites.Site) bool) *unit {
	u := &unit{
		file: file, tree: file.Syntax, sites: map[syntax.Node]Kind{}, graphs: map[syntax.Node]*flow.Graph{},
		handlers: map[syntax.Node]fate{}, raising: map[syntax.Node]bool{}, returning: map[given]bool{}, sources: map[key]*Source{},
	}
	u.index.Reset(file.Syntax, file.Names)
	u.builder.Ends = func(call syntax.Node) bool { return a.known.ends.Has(string(u.tree.Source(u.tree.First(call)))) }
	u.builder.Suppresses = func(context syntax.Node) bool { return a.suppresses(u, context) }
	for i := range found {
		switch s := &found[i]; {
		case harmless != nil && harmless(s):
			u.sites[s.Call] = Host
		case s.Kind == site.Decode && (s.Origin == sites.Data || s.Origin == sites.Constant):
			u.sites[s.Call] = Stored
		case s.Kind == site.Decode, s.Kind == site.Implicit && s.Class.Decodes():
			u.sites[s.Call] = Decode
		default:
			u.sites[s.Call] = Step
		}
	}
	return u
}

// fromHost reports whether the ids of a decode in another file were made on the
// host, as far as the file itself tells.
func fromHost(s *sites.Site) bool {
	return s.Kind == site.Decode && (s.Origin == sites.Data || s.Origin == sites.Constant)
}

// maxThere bounds the files that are kept; beyond it all are let go.
const maxThere = 48

// away is the unit of a file, of another one read and looked through.
func (a *Analyzer) away(file *calls.File) *unit {
	if file.Name == a.here.file.Name {
		return a.here
	}
	if u := a.there[file.Name]; u != nil {
		return u
	}
	if len(a.there) >= maxThere {
		clear(a.there)
	}
	if a.finder == nil {
		a.finder = sites.NewFinder()
	}
	u := a.unit(file, a.finder.Find(file.Syntax, file.Names).Sites, fromHost)
	a.there[file.Name] = u
	return u
}

// graph is the flow graph of a function or module.
func (u *unit) graph(fn syntax.Node) *flow.Graph {
	g := u.graphs[fn]
	if g == nil {
		g = u.builder.Build(u.tree, fn, nil)
		u.graphs[fn] = g
	}
	return g
}

// around is the function in which a node is evaluated, else the module.
func (u *unit) around(n syntax.Node) syntax.Node {
	if f := u.file.Names.Function(n); f != 0 {
		return f
	}
	return u.tree.Root()
}
