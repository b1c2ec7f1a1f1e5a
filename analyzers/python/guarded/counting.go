package guarded

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// counts is what a function does to count its steps.
type counts struct {
	flag, scale                 syntax.Node
	flagReported, scaleReported bool
	asksFinite                  bool // most functions ask nothing, and need no graph
}

// counting looks a function through once, however many steps it has.
func (a *Analyzer) counting(fn syntax.Node) counts {
	if c, ok := a.counted[fn]; ok {
		return c
	}
	var c counts
	a.own(fn, func(n syntax.Node) {
		switch a.tree.Kind(n) {
		case syntax.Attribute, syntax.Name:
			a.sawFlag(&c, fn, n)
		case syntax.Compare:
			a.sawScale(&c, fn, n)
		case syntax.Call:
			c.asksFinite = c.asksFinite || a.asksFinite(a.tree.First(n))
		case syntax.Keyword:
			c.asksFinite = c.asksFinite || a.known.normRaises.May(a.tree.Name(n)) && a.known.normRaises.Has(a.lower(a.tree.Name(n)))
		}
	})
	a.counted[fn] = c
	return c
}

// asksFinite reports whether a callee asks whether something is finite.
func (a *Analyzer) asksFinite(fun syntax.Node) bool {
	if k := a.tree.Kind(fun); k == syntax.Name || k == syntax.Attribute {
		if name := a.tree.Name(fun); !a.known.finite.May(name) && !a.known.nonfinite.May(name) {
			return false
		}
	}
	name := a.last(fun)
	return a.known.finite.Has(name) || a.known.nonfinite.Has(name)
}

// sawFlag takes down a flag of an overflow that is read, and whether somebody
// learns of it. Results of the step count by the names they get.
func (a *Analyzer) sawFlag(c *counts, fn, n syntax.Node) {
	if c.flagReported || a.tree.Context(n) != syntax.Load || !a.known.flag.May(a.tree.Name(n)) || !a.known.flag.Has(a.last(n)) {
		return
	}
	if r := a.reported(fn, n, 3); c.flag == 0 || r {
		c.flag, c.flagReported = n, r
	}
}

// sawScale takes down a comparison of the scale with what it was before, and
// whether somebody learns of it.
func (a *Analyzer) sawScale(c *counts, fn, n syntax.Node) {
	x := a.tree.First(n)
	if c.scaleReported || !a.isScale(x) || !a.isScale(a.tree.Next(x)) {
		return
	}
	if r := a.reported(fn, n, 3); c.scale == 0 || r {
		c.scale, c.scaleReported = n, r
	}
}

// countingClass adds what other methods of the class do to count a step: those
// that step nothing themselves, since those that do count their own.
func (a *Analyzer) countingClass(call syntax.Node, own counts) counts {
	class := a.names.Class(call)
	if class == 0 {
		return own
	}
	for m := range a.tree.ChildrenOf(class, syntax.RoleBody) {
		if !a.tree.Kind(m).IsFunction() || m == a.around(call) {
			continue
		}
		c := a.counting(m)
		if !c.flagReported && !c.scaleReported || a.steps(m) {
			continue
		}
		if c.flagReported && a.speaksOf(c.flag, call) {
			own.flag, own.flagReported = c.flag, true
			return own
		}
		if c.scaleReported && a.speaksOf(c.scale, call) {
			own.scale, own.scaleReported = c.scale, true
		}
	}
	return own
}

// steps reports whether a function calls a step of its own.
func (a *Analyzer) steps(fn syntax.Node) bool {
	found := false
	a.own(fn, func(n syntax.Node) {
		found = found || a.tree.Kind(n) == syntax.Call && a.last(a.tree.First(n)) == "step"
	})
	return found
}

// speaksOf reports whether a flag or a comparison in another method can be about
// a step: it is kept in the object, or read from what steps or is stepped.
func (a *Analyzer) speaksOf(n, call syntax.Node) bool {
	self := false
	for c := range a.tree.Preorder(n) {
		if a.tree.Kind(c) != syntax.Attribute {
			continue
		}
		object := a.tree.First(c)
		if a.names.IsSelf(object) {
			self = true
		}
		text := string(a.tree.Source(object))
		if text == string(a.tree.Source(a.tree.First(a.tree.First(call)))) {
			return true
		}
		for arg := range a.tree.ChildrenOf(call, syntax.RoleArg) {
			if text == string(a.tree.Source(arg)) {
				return true
			}
		}
	}
	if a.tree.Kind(n) == syntax.Compare {
		return false // of another scale
	}
	return a.tree.Kind(n) == syntax.Name || self && strings.Count(string(a.tree.Source(n)), ".") == 1
}

// isScale reports whether an expression is the scale: read now, or kept.
func (a *Analyzer) isScale(n syntax.Node) bool {
	switch a.tree.Kind(n) {
	case syntax.Call:
		return a.known.scale.Has(a.last(a.tree.First(n)))
	case syntax.Attribute:
		return a.known.scale.Has(a.last(n)) || a.keepsScale(n)
	case syntax.Name:
		for b := range a.names.Lookup(n, a.tree.Name(n)) {
			if b.How == names.Assign && a.tree.Kind(b.Value) != syntax.Name && a.isScale(b.Value) {
				return true
			}
		}
	}
	return false
}

// keepsScale reports whether an attribute of self holds the scale as it was.
func (a *Analyzer) keepsScale(n syntax.Node) bool {
	if !a.names.IsSelf(a.tree.First(n)) {
		return false
	}
	for b := range a.names.Attr(a.names.Class(n), a.tree.Name(n)) {
		if b.How == names.Assign && a.tree.Kind(b.Value) == syntax.Call && a.isScale(b.Value) {
			return true
		}
	}
	return false
}
