package faultflow

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// Artifact is the first call among statements that writes a number or a model
// for somebody to read later; 0: none. A file that is named for a crash is no
// result.
func (a *Analyzer) Artifact(statements ...syntax.Node) syntax.Node {
	for _, s := range statements {
		if call := a.artifactIn(s); call != 0 {
			return call
		}
	}
	return 0
}

func (a *Analyzer) artifactIn(s syntax.Node) syntax.Node {
	t, found := a.here.tree, syntax.Node(0)
	t.Walk(s, func(n syntax.Node) syntax.Walk {
		switch k := t.Kind(n); {
		case n != s && k.IsStatement(), k.IsFunction(), k == syntax.Lambda:
			return syntax.Over // a header stands for itself alone
		case k == syntax.Call && a.writes(n):
			found = n
			return syntax.Stop
		}
		return syntax.Into
	})
	return found
}

func (a *Analyzer) writes(call syntax.Node) bool {
	t := a.here.tree
	fun := t.First(call)
	name := last(t, fun)
	if name == "" || !a.known.artifact.Has(name) && !a.known.artifact.Has(strings.ToLower(string(t.Source(fun)))) {
		return false
	}
	for arg := range t.Children(call) {
		if arg != fun && a.namedForCrash(arg) {
			return false
		}
	}
	return true
}

// namedForCrash reports whether an argument, or what the name that it is was
// bound to, says that something went wrong.
func (a *Analyzer) namedForCrash(arg syntax.Node) bool {
	t := a.here.tree
	if a.known.crash.Has(strings.ToLower(string(t.Source(arg)))) {
		return true
	}
	if t.Kind(arg) != syntax.Name {
		return false
	}
	said := false
	for b := range a.here.file.Names.Lookup(arg, t.Name(arg)) { // the last before it counts
		if b.Target != 0 && t.Start(b.Target) < t.Start(arg) {
			said = b.How == names.Assign && a.known.crash.Has(strings.ToLower(string(t.Source(b.Value))))
		}
	}
	return said
}
