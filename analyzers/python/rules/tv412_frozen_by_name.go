package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv412: which parameters are frozen is decided by parts of their names, and
// the optimizer is given all of them: whether the pattern met what was meant is
// said by nothing.
func tv412() Rule {
	return Rule{
		Code:  "TV412",
		Needs: [][]string{{"named_parameters("}, {"requires_grad"}, {".parameters()"}},
		Check: func(f *File, r *Report) {
			for call := range f.CallsOf("named_parameters") {
				loop := f.Parent(call)
				if f.Kind(loop) != syntax.For || f.Role(call) != syntax.RoleIter {
					continue
				}
				freeze, test := f.freezesByName(loop)
				if freeze == 0 || f.countsTrainable() {
					continue
				}
				if made := f.takesAll(f.Receiver(call)); made != 0 {
					r.Add(Finding{
						At:      freeze,
						Message: "which parameters are trained hangs on parts of their names, the optimizer is given all of them, and nothing counts what is left",
						Related: []Related{{At: test, Message: "the pattern"}, {At: made, Message: "the optimizer"}},
					})
				}
			}
		},
	}
}

// freezesByName is the statement of a loop over named parameters that freezes
// those whose name has, or has not, a part, and the test.
func (f *File) freezesByName(loop syntax.Node) (freeze, test syntax.Node) {
	name := f.First(f.Child(loop, syntax.RoleTarget))
	if name == 0 || f.Kind(name) != syntax.Name {
		return 0, 0
	}
	for n := range f.Within(loop) {
		if t := f.setsBy(n); t != 0 && f.speaksOf(t, string(f.Name(name))) && strings.Contains(f.Src(t), " in ") {
			return n, t
		}
		if f.Kind(n) != syntax.If {
			continue
		}
		t := f.Child(n, syntax.RoleTest)
		if !f.speaksOf(t, string(f.Name(name))) || !strings.ContainsAny(f.Src(t), "\"'") {
			continue
		}
		for c := range f.Within(n) {
			if f.Kind(c) == syntax.Assign && f.IsFalse(f.Child(c, syntax.RoleValue)) && f.Last(f.Child(c, syntax.RoleTarget)) == "requires_grad" {
				return c, t
			}
		}
	}
	return 0, 0
}

// setsBy is the condition by which a node says whether a parameter is trained:
// weight.requires_grad_("head" in name). 0: it says no such thing.
func (f *File) setsBy(n syntax.Node) syntax.Node {
	switch f.Kind(n) {
	case syntax.Call:
		if f.Last(f.First(n)) == "requires_grad_" {
			return f.Arg(n, 0)
		}
	case syntax.Assign:
		if t := f.Child(n, syntax.RoleTarget); f.Kind(t) == syntax.Attribute && f.Last(t) == "requires_grad" {
			return f.Child(n, syntax.RoleValue)
		}
	}
	return 0
}

// countsTrainable reports whether the file counts or filters by what is trained.
func (f *File) countsTrainable() bool {
	for n := range f.All(syntax.Comprehension) {
		for c := range f.ChildrenOf(n, syntax.RoleIf) {
			if strings.Contains(f.Src(c), "requires_grad") {
				return true
			}
		}
	}
	for n := range f.All(syntax.If) {
		if strings.Contains(f.Src(f.Child(n, syntax.RoleTest)), "requires_grad") {
			return true
		}
	}
	for call := range f.CallsOf("filter") {
		if strings.Contains(f.Src(call), "requires_grad") {
			return true
		}
	}
	for call := range f.CallsOf("print_trainable_parameters") {
		return call != 0
	}
	return false
}

// takesAll is a call that makes an optimizer of all parameters of a model.
func (f *File) takesAll(model syntax.Node) syntax.Node {
	for call := range f.CallsOf("parameters") {
		p := f.Parent(call)
		if f.Same(f.Receiver(call), model) && f.Kind(p) == syntax.Call && f.Arg(p, 0) == call && listed("optimizer-class", f.Last(f.First(p))) {
			return p
		}
	}
	return 0
}
