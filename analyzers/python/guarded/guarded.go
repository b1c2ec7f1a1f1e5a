package guarded

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/flow"
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/sites"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// State is what is known of a site.
type State struct {
	State    site.State
	Why      string
	Guard    syntax.Node // the check that counts, or the one that does not; 0: none
	Text     string      // of Guard
	Flaw     Flaw        // why Guard does not count
	Handlers []Handler
}

// Flaw is why a check that stands at a decode guards nothing.
type Flaw uint8

// The flaws.
const (
	NoFlaw   Flaw = iota
	Narrowed      // the ids lost bits before it
	Misses        // it comes too late, on another path, or checks a part alone
	OneSided      // it holds the ids against one bound alone
	Asserted      // python -O drops it
)

// Analyzer computes states. It is for one goroutine; its memory is used again.
type Analyzer struct {
	// Guards are functions that directives and the configuration name, by
	// their last name.
	Guards map[string][]Guard
	// Across resolves what other files define; nil: nothing is known of them.
	Across *calls.Tree

	known     *lists
	file      *calls.File
	tree      *syntax.Tree
	names     *names.Table
	builder   flow.Builder
	calls     calls.Index
	functions map[syntax.Node]*function
	summaries map[syntax.Node]bits // of parameters
	raising   map[syntax.Node]bool // functions that never return
	checking  map[syntax.Node]bool // functions that may check what they are given
	counted   map[syntax.Node]counts
	leaving   map[syntax.Node]departure // of faults, by handler
	ofCheck   []string                  // classes that the check raises that is asked about; nil: it is a fault
	stops     answer                    // whether anything in the file stops a fault
	lowered   map[string]string
	foreign   map[foreignKey][]checked
	asked     map[syntax.Node]guardCall // of calls of functions of other files
	away      *Analyzer                 // for the functions of other files
	depth     int                       // how many files may still be gone to
}

// Guard is a function that a person names as a guard.
type Guard struct {
	calls.Definition
	IDs int // index of the argument that holds the ids, without self
}

// New makes an Analyzer.
func New() *Analyzer {
	known := newLists(catalog.Python())
	a := newAnalyzer(&known)
	a.lowered = map[string]string{}
	a.depth = maxFiles
	a.foreign = map[foreignKey][]checked{}
	return a
}

func newAnalyzer(known *lists) *Analyzer {
	a := &Analyzer{
		known: known, functions: map[syntax.Node]*function{},
		summaries: map[syntax.Node]bits{}, raising: map[syntax.Node]bool{}, checking: map[syntax.Node]bool{},
		counted: map[syntax.Node]counts{}, leaving: map[syntax.Node]departure{}, asked: map[syntax.Node]guardCall{},
	}
	a.builder.Ends, a.builder.Suppresses = a.ends, a.suppresses
	return a
}

// Reset turns to another file, of which alone is known.
func (a *Analyzer) Reset(tree *syntax.Tree, table *names.Table) {
	a.ResetFile(calls.NewFile("", tree, table))
}

// ResetFile turns to another file.
func (a *Analyzer) ResetFile(file *calls.File) {
	tree, table := file.Syntax, file.Names
	a.file, a.tree, a.names = file, tree, table
	a.calls.Reset(tree, table)
	clear(a.functions)
	clear(a.summaries)
	clear(a.raising)
	clear(a.checking)
	clear(a.counted)
	clear(a.leaving)
	a.stops = maybe
	clear(a.asked)
}

// State computes the state of a site of the file.
func (a *Analyzer) State(s *sites.Site) State {
	var st State
	if s.Kind == site.Decode || s.Kind == site.Implicit && s.Class.Decodes() {
		st = a.decode(s)
	} else {
		st = a.step(s)
	}
	st.Handlers = a.handlers(s.Call)
	if st.State == site.Guarded {
		st.Handlers = a.withOwn(st.Handlers, st.Guard)
	}
	return st
}

// around is the function in which a node is evaluated: a lambda is part of
// what it stands in. The module where there is none.
func (a *Analyzer) around(n syntax.Node) syntax.Node {
	if f := a.names.Function(n); f != 0 {
		return f
	}
	return a.tree.Root()
}

// decode computes the state of a decode.
func (a *Analyzer) decode(s *sites.Site) State {
	open := State{State: site.Unguarded, Why: "nothing holds its ids against the vocabulary"}
	if s.Kind == site.Implicit {
		open.Why = "its ids are decoded within the framework, where no check in this source reaches them"
		return open
	}
	ids := s.IDs
	if s.Escapes {
		if ids = a.mapped(s.Call); ids == 0 {
			open.Why = "passed on as a value: who calls it with which ids is not followed"
			return open
		}
	}
	if ids == 0 {
		open.Why = "its ids are no argument of their own"
		return open
	}
	f := a.function(a.around(s.Call))
	if f.g.Cut() {
		open.Why = "its function is too large to follow"
		return open
	}
	sum, reached := f.before(s.Call, ids)
	if !reached {
		open.Why = "it stands in code that nothing reaches"
		return open
	}
	if sum.bits != both && f.askOthers(f.related(ids)) {
		sum, _ = f.before(s.Call, ids)
	}
	return a.judge(f, s, ids, sum, open)
}

// before is what is known of ids where a call takes them, and whether anything
// gets there.
func (f *function) before(call, ids syntax.Node) (sum value, reached bool) {
	sum = top
	for v := range f.g.At(call) {
		if f.g.Reached(v) {
			sum, reached = sum.and(f.known(ids, v)), true
		}
	}
	return sum, reached
}

// judge puts into words what is known of the ids of a decode.
func (a *Analyzer) judge(f *function, s *sites.Site, ids syntax.Node, sum value, open State) State {
	switch {
	case sum.bits == both && sum.guard != 0:
		if n := f.narrowedBefore(sum.guard); n != 0 {
			open.Why = "its ids are narrowed before anything checks them, and what a fault left can be a word of the vocabulary afterwards"
			open.Guard, open.Text, open.Flaw = n, "narrowed here", Narrowed
			return open
		}
		text := a.guardText(sum.guard)
		return State{State: site.Guarded, Why: "checked by " + text, Guard: sum.guard, Text: text}
	case sum.bits == both && !sum.empty:
		if s.Origin == sites.Constant {
			return State{State: site.Guarded, Why: "its ids are constants or counted by a loop: none comes from a device"}
		}
		return State{State: site.Guarded, Why: "its ids come from encoding text in this function: they never left the host"}
	case sum.guard != 0 && sum.bits&upper != 0:
		open.Why = "the check before it lets negative ids through"
	case sum.guard != 0 && sum.bits&lower != 0:
		open.Why = "the check before it lets ids beyond the vocabulary through"
	default:
		return f.missed(s.Call, ids, open)
	}
	open.Guard, open.Text, open.Flaw = sum.guard, a.guardText(sum.guard), OneSided
	return open
}

// guardText names a guard.
func (a *Analyzer) guardText(n syntax.Node) string {
	if a.tree.Kind(n) == syntax.Call {
		return sites.Callee(a.tree, n)
	}
	return "a comparison"
}

// mapped is what a function that is handed to map goes over.
func (a *Analyzer) mapped(n syntax.Node) syntax.Node {
	call := a.tree.Parent(n)
	if a.tree.Kind(call) != syntax.Call || a.tree.Role(n) != syntax.RoleArg || a.last(a.tree.First(call)) != "map" {
		return 0
	}
	return a.tree.Next(n)
}

// last is the last name of a callee or receiver, in lower case.
func (a *Analyzer) last(n syntax.Node) string {
	for n != 0 {
		switch a.tree.Kind(n) {
		case syntax.Name, syntax.Attribute:
			return a.lower(a.tree.Name(n))
		case syntax.Call, syntax.Subscript, syntax.Await:
			n = a.tree.First(n)
		default:
			return ""
		}
	}
	return ""
}

// maxLowered bounds the memory that hostile files can ask for.
const maxLowered = 1 << 16

// lower gives the lower case of a name: the same few stand in every file.
func (a *Analyzer) lower(name []byte) string {
	if s, ok := a.lowered[string(name)]; ok {
		return s
	}
	if len(a.lowered) > maxLowered {
		clear(a.lowered)
	}
	s := strings.ToLower(string(name))
	a.lowered[string(name)] = s
	return s
}

// ends reports whether a call never returns.
func (a *Analyzer) ends(call syntax.Node) bool {
	fun := a.tree.First(call)
	return a.known.ends.Has(string(a.tree.Source(fun)))
}

// suppresses reports whether a context swallows what a fault may be.
func (a *Analyzer) suppresses(context syntax.Node) bool {
	if a.tree.Kind(context) != syntax.Call || !a.known.suppress.Has(a.last(context)) {
		return false
	}
	for t := range a.tree.ChildrenOf(context, syntax.RoleArg) {
		if a.catches(t) != no {
			return true
		}
	}
	return false
}
