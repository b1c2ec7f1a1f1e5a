package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// isDataset reports whether a class is a dataset that is asked for items: it
// says so by a base, or by its own name and methods.
func (f *File) isDataset(class syntax.Node) bool {
	if f.method(class, "__getitem__") == 0 {
		return false
	}
	for b := range f.ChildrenOf(class, syntax.RoleBase) {
		if name := f.Last(b); strings.HasSuffix(name, "Dataset") || strings.HasSuffix(name, "Set") && strings.Contains(name, "Data") {
			return true
		}
	}
	return strings.HasSuffix(string(f.Name(class)), "Dataset") && f.method(class, "__len__") != 0
}

// method is a method that a class defines itself; 0: none.
func (f *File) method(class syntax.Node, name string) syntax.Node {
	for m := range f.ChildrenOf(class, syntax.RoleBody) {
		if f.Kind(m).IsFunction() && string(f.Name(m)) == name {
			return m
		}
	}
	return 0
}

// reached are the methods of a class that one of them calls, by self, itself
// first.
func (f *File) reached(class, method syntax.Node) []syntax.Node {
	list := []syntax.Node{method}
	for i := 0; i < len(list); i++ {
		for n := range f.Preorder(list[i]) {
			if f.Kind(n) != syntax.Attribute || !f.Names.IsSelf(f.First(n)) {
				continue
			}
			if m := f.method(class, string(f.Name(n))); m != 0 && !has(list, m) {
				list = append(list, m)
			}
		}
	}
	return list
}

func has(list []syntax.Node, n syntax.Node) bool {
	for _, o := range list {
		if o == n {
			return true
		}
	}
	return false
}

// isRNG reports whether an expression makes a source of random numbers. What
// torch.Generator().manual_seed(0) gives is one.
func (f *File) isRNG(n syntax.Node) bool {
	if f.Kind(n) == syntax.IfExp {
		return f.isRNG(f.Child(n, syntax.RoleBody)) || f.isRNG(f.Child(n, syntax.RoleOrElse))
	}
	if f.Kind(n) != syntax.Call {
		return false
	}
	if f.Last(f.First(n)) == "manual_seed" {
		return f.Kind(f.Receiver(n)) == syntax.Call && f.isRNG(f.Receiver(n))
	}
	return inList("rng", f.Path(n))
}
