package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// tv312: backward runs in the types that forward chose; under autocast it may
// choose again, which torch advises against.
func tv312() Rule {
	return Rule{
		Code:  "TV312",
		Needs: [][]string{{"autocast("}, {"backward("}},
		Check: func(f *File, r *Report) {
			for _, b := range f.backwards() {
				if cast := f.autocastAround(b.call); cast != 0 && f.Names.Function(b.call) != 0 {
					r.Add(Finding{
						At:      b.call,
						Message: "backward runs under autocast: its operations may be cast a second time, in types that forward did not use",
						Related: []Related{{At: cast, Message: "autocast begins here"}},
					})
				}
			}
		},
	}
}

// autocastAround is the autocast of a with around a node of the same function;
// 0: there is none, or it is switched off.
func (f *File) autocastAround(n syntax.Node) syntax.Node {
	for p := f.Parent(n); p != 0 && !f.Kind(p).IsFunction(); p = f.Parent(p) {
		if k := f.Kind(p); k != syntax.With && k != syntax.AsyncWith {
			continue
		}
		for item := range f.ChildrenOf(p, syntax.RoleItem) {
			c := f.Child(item, syntax.RoleContext)
			if f.Kind(c) == syntax.Call && f.Last(f.First(c)) == "autocast" {
				if f.IsFalse(f.Keyword(c, "enabled")) {
					return 0
				}
				return c
			}
		}
	}
	return 0
}
