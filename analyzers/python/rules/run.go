package rules

import (
	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/faultflow"
	"github.com/trainvet/trainvet/analyzers/python/flow"
	"github.com/trainvet/trainvet/analyzers/python/guarded"
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/sites"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// Source is a file as the driver has it.
type Source struct {
	Name     string // from the root, slash separated
	Tree     *syntax.Tree
	Names    *names.Table
	Test     bool
	Sited    bool        // sites were looked for
	Editable bool        // offsets of the tree are those of the file on disk
	View     *calls.File // as other files see it
	Across   *calls.Tree // the other files; nil: none is asked
	Sites    []sites.Site
	States   []guarded.State // of Sites
	// Stop is asked between rules: nobody wants the rest any more. Nil: never.
	Stop func() bool
	// Position names an offset of the text as a place in the file.
	Position func(offset int) site.Position
	// SiteOf and HandlerOf name a site and a handler as the ledger does.
	SiteOf    func(call syntax.Node) (id string, shape site.Shape)
	HandlerOf func(n syntax.Node, label string) (id string, shape site.Shape)
}

// Runner runs the rules over one file after the other. It is for one
// goroutine; its memory is used again.
type Runner struct {
	set   *Set
	file  File
	calls calls.Index
	flow  *faultflow.Analyzer
	out   []held
	notes map[string][]Note
	seen  mask // the words that the files hold, tests aside
}

// held is a finding with its conditions.
type held struct {
	site.Finding
	unless, ifs []string
}

// NewRunner makes a Runner.
func NewRunner(set *Set) *Runner {
	return &Runner{set: set, flow: faultflow.New(), notes: map[string][]Note{}}
}

// Saw keeps which words of conditions a file holds, whether or not a rule looks
// at it.
func (r *Runner) Saw(found *Found, test bool) {
	if test {
		return
	}
	for i := range r.seen {
		r.seen[i] |= found.has[i]
	}
}

// Run runs the rules whose words a file holds.
func (r *Runner) Run(src *Source, found Found) {
	f := &r.file
	f.reset(src, found, r.set)
	r.calls.Reset(src.Tree, src.Names)
	f.Calls, f.View, f.Across, f.flow = &r.calls, src.View, src.Across, r.flow
	for i := range r.set.rules {
		if src.Stop != nil && src.Stop() {
			return
		}
		if a := &r.set.rules[i]; found.on[i/64]&(1<<(i%64)) != 0 {
			a.Check(f, &Report{rule: &a.Rule, run: r, src: src})
		}
	}
}

func (f *File) reset(src *Source, found Found, set *Set) {
	f.Tree, f.FileName, f.Test, f.Names = src.Tree, src.Name, src.Test, src.Names
	f.Sites, f.States, f.found, f.set = src.Sites, src.States, found, set
	f.index.reset()
	f.known, f.follows = false, false
	if f.graphs == nil {
		f.graphs = map[syntax.Node]*flow.Graph{}
	}
	clear(f.graphs)
}

func (r *Runner) place(src *Source, n syntax.Node) site.Position {
	return src.Position(src.Tree.Start(n))
}

// end is behind what a finding marks: of a statement with a block its header
// alone, the line that a reader looks for.
func (r *Runner) end(src *Source, f Finding) site.Position {
	t := src.Tree
	for c := range t.Children(f.At) {
		switch t.Role(c) {
		case syntax.RoleBody, syntax.RoleHandler, syntax.RoleCase:
			if t.Kind(f.At).IsStatement() || t.Kind(f.At) == syntax.ExceptHandler {
				return site.Position{}
			}
		}
	}
	if f.Head {
		return site.Position{}
	}
	return src.Position(t.End(f.At))
}

func (r *Runner) keep(rule *Rule, f Finding, out site.Finding) {
	r.out = append(r.out, held{out, f.Unless, f.If})
}
