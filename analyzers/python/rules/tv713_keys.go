package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// keysCompared reports whether the function around a load holds the names of
// what it loads against those of the model itself, and says where they differ.
func (f *File) keysCompared(load syntax.Node) bool {
	own := f.Src(f.Receiver(load)) + ".state_dict()"
	def := f.Function(load)
	if f.Kind(def) == syntax.Module || !strings.Contains(f.Src(def), own) {
		return false
	}
	differs, told := false, false
	for n := range f.Within(def) {
		switch f.Kind(n) {
		case syntax.If:
			if f.asksForKey(f.Child(n, syntax.RoleTest), own) && f.tellsWithin(n) {
				return true
			}
		case syntax.BinOp:
			differs = differs || f.Op(n) == syntax.Sub && (f.keysOf(f.Child(n, syntax.RoleLeft), own, 4) || f.keysOf(f.Child(n, syntax.RoleRight), own, 4))
		case syntax.Call:
			told = told || named("key-teller", f.Last(f.First(n)))
		}
	}
	return differs && told
}

// asksForKey reports whether a test asks if a name is one of the model's.
func (f *File) asksForKey(test syntax.Node, own string) bool {
	for n := range f.Preorder(test) {
		if op := f.CompareOp(n); (op == syntax.In || op == syntax.NotIn) && f.keysOf(n, own, 4) {
			return true
		}
	}
	return false
}

// keysOf reports whether an expression is made of the state of the model.
func (f *File) keysOf(n syntax.Node, own string, hops int) bool {
	if strings.Contains(f.Src(n), own) {
		return true
	}
	if hops == 0 {
		return false
	}
	for c := range f.Preorder(n) {
		if f.Kind(c) != syntax.Name {
			continue
		}
		list, _ := f.Values(c)
		for _, v := range list {
			if v != c && f.keysOf(v, own, hops-1) {
				return true
			}
		}
	}
	return false
}

// tellsWithin reports whether a statement prints, logs, collects or raises.
func (f *File) tellsWithin(stmt syntax.Node) bool {
	for n := range f.Within(stmt) {
		if k := f.Kind(n); k == syntax.Raise || k == syntax.Call && named("key-teller", f.Last(f.First(n))) {
			return true
		}
	}
	return false
}
