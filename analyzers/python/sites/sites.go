package sites

import (
	"cmp"
	"slices"

	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// Class of a site: what its kind leaves open.
type Class string

// The classes.
const (
	Token     Class = "token"         // decode
	Optimizer Class = "optimizer"     // step
	Scaler    Class = "scaler-step"   // step
	Engine    Class = "engine"        // step: DeepSpeed, ColossalAI
	Framework Class = "framework"     // step: a function of a framework that steps
	Pipeline  Class = "pipeline"      // implicit: a decode
	Trainer   Class = "trainer"       // implicit: steps
	Predict   Class = "predict"       // implicit: a decode
	Streamer  Class = "streamer"      // implicit: a decode
	Hidden    Class = "hidden-scaler" // implicit: scaler and step
	Params    Class = "update-params" // implicit: a step
	Speech    Class = "transcribe"    // implicit: a decode
	Serving   Class = "serving"       // implicit: a decode in an inference engine
)

// Decodes reports whether what an implicit site hides is a decode.
func (c Class) Decodes() bool {
	switch c {
	case Token, Pipeline, Predict, Streamer, Speech, Serving:
		return true
	}
	return false
}

// The origins of ids.
const (
	Generated = "generated"
	Data      = "data"
	Constant  = "constant"
	Unknown   = "unknown"
)

// Site is a call that is a site.
type Site struct {
	Kind    site.Kind
	Class   Class
	Call    syntax.Node   // a Call; of an escape the expression that is the callee
	IDs     syntax.Node   // the argument that holds the ids, 0: none
	Origin  string        // of the ids of a decode
	By      string        // the rule that made it a site
	Escapes bool          // the callee is passed on as a value
	ByName  bool          // a reader would have looked here for its name
	Parts   []syntax.Node // of a scaler's step: the calls that unscale and update for it
}

// Doubt is a call of a decode's or step's name that no rule knows.
type Doubt struct {
	Call syntax.Node
	Why  string
}

// Result is what a file holds, in the order of the source.
type Result struct {
	Sites  []Site
	Doubts []Doubt
}

// Finder finds sites. It is for one goroutine; its memory is used again.
type Finder struct {
	// Across resolves what other files define; nil: nothing is known of them.
	Across *calls.Tree

	known *lists
	said  map[string][]Declaration // by last name
	file  *calls.File
	tree  *syntax.Tree
	names *names.Table
	res   Result
	low   lowered
	left  int // of the budget
	walk  int // nodes that may yet be walked in this file
	wide  bool
	depth int     // files that lie between this one and that of the call
	away  *Finder // for other files
	spoke map[*catalog.Names]bool
	loose []part // calls that belong to some step
}

// budget is how many expressions are looked at for one call: real ones need
// tens, hostile files could ask for any number.
const budget = 3000

// walks is how many times the nodes of a file may be walked for questions that
// need a whole function.
const walks = 20

// spend takes one from the budget.
func (f *Finder) spend() bool {
	f.left--
	return f.left > 0
}

// NewFinder makes a Finder.
func NewFinder() *Finder {
	known := newLists(catalog.Python())
	return &Finder{known: &known, low: lowered{}, spoke: map[*catalog.Names]bool{}}
}

// Find looks through a file of which alone is known. The result is valid until
// the next one.
func (f *Finder) Find(tree *syntax.Tree, table *names.Table) *Result {
	return f.FindFile(calls.NewFile("", tree, table))
}

// FindFile looks through a file.
func (f *Finder) FindFile(file *calls.File) *Result {
	tree := file.Syntax
	f.turn(file)
	f.res.Sites, f.res.Doubts, f.loose = f.res.Sites[:0], f.res.Doubts[:0], f.loose[:0]
	if len(f.low) > maxLowered {
		clear(f.low)
	}
	// Nodes lie in one slice: going through it is cheaper than walking the tree.
	for n := tree.Root(); int(n) < tree.Len(); n++ {
		if tree.Parent(n) == 0 {
			continue // the root, or left over from a parse that was taken back
		}
		switch tree.Kind(n) {
		case syntax.Call:
			f.call(n)
		case syntax.Attribute:
			f.escape(n)
		}
	}
	at := func(a, b syntax.Node) int { return cmp.Compare(tree.End(a), tree.End(b)) }
	slices.SortStableFunc(f.res.Sites, func(a, b Site) int {
		return cmp.Or(cmp.Compare(tree.Start(a.Call), tree.Start(b.Call)), at(a.Call, b.Call))
	})
	f.parts()
	slices.SortStableFunc(f.res.Doubts, func(a, b Doubt) int { return at(a.Call, b.Call) })
	return &f.res
}

// turn makes a file the one whose nodes are meant.
func (f *Finder) turn(file *calls.File) {
	f.file, f.tree, f.names = file, file.Syntax, file.Names
	f.walk = walks * file.Syntax.Len()
	clear(f.spoke)
}

func (f *Finder) add(s Site) { f.res.Sites = append(f.res.Sites, s) }

func (f *Finder) doubt(call syntax.Node, why string) {
	f.res.Doubts = append(f.res.Doubts, Doubt{call, why})
}

// call judges one call.
func (f *Finder) call(n syntax.Node) {
	fun := f.tree.Child(n, syntax.RoleFunc)
	var name []byte
	switch f.tree.Kind(fun) {
	case syntax.Attribute, syntax.Name:
		name = f.tree.Name(fun)
	default:
		return
	}
	if f.said != nil && f.isDeclared(n, fun, name) {
		return
	}
	if !f.mayCall(name) {
		return // nearly every call
	}
	method := f.tree.Kind(fun) == syntax.Attribute
	word := f.low.of(name)
	switch f.known.role(word) {
	case decodeCall:
		if method {
			f.decode(n, fun, word)
		} else if f.known.decodeCall.Has(word) || f.known.givesWords(word) {
			f.decodeFunction(n, fun, word)
		}
	case stepCall:
		if method {
			f.step(n, fun, word)
		}
	case implicitCall:
		f.implicit(n, fun, word)
	default:
		f.byPattern(n, fun, word)
	}
}
