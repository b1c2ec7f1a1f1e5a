package calls

import (
	"bytes"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// Caller is a place that calls a function or hands it on.
type Caller struct {
	File *File
	Node syntax.Node // the call; handed on: the expression
}

// Callers are the callers of functions over all files of the tree, by function,
// in the order of Files and of their source. It reads every file: ask for many
// functions at once. Methods of objects whose class is not known are called by
// nobody. Each read file is kept no longer than the Tree keeps it.
func (t *Tree) Callers(fns ...Func) [][]Caller {
	out := make([][]Caller, len(fns))
	wanted := map[string][]int{}
	for i, fn := range fns {
		if fn.Def != 0 {
			name := string(fn.File.Syntax.Name(fn.Def))
			wanted[name] = append(wanted[name], i)
		}
	}
	for _, name := range t.source.Files {
		text, err := t.source.Read(name)
		if err != nil || !mentions(text, wanted) {
			continue
		}
		if f := t.File(name); f != nil {
			t.callersIn(f, fns, wanted, out)
		}
	}
	return out
}

func mentions(text []byte, wanted map[string][]int) bool {
	for name := range wanted {
		if bytes.Contains(text, []byte(name)) {
			return true
		}
	}
	return false
}

func (t *Tree) callersIn(f *File, fns []Func, wanted map[string][]int, out [][]Caller) {
	tree := f.Syntax
	for n := tree.Root() + 1; int(n) < tree.Len(); n++ {
		k := tree.Kind(n)
		if k != syntax.Name && k != syntax.Attribute || tree.Parent(n) == 0 || tree.Context(n) != syntax.Load {
			continue
		}
		list := t.meant(f, n, wanted)
		if len(list) == 0 {
			continue
		}
		found := t.Callee(f, n)
		if found.Def == 0 {
			continue
		}
		at := n
		if p := tree.Parent(n); tree.Kind(p) == syntax.Call && tree.Role(n) == syntax.RoleFunc {
			at = p
		}
		for _, i := range list {
			if fns[i].Same(found) {
				out[i] = append(out[i], Caller{f, at})
			}
		}
	}
}

// meant are the functions that a name may stand for: by its own letters, or as
// another name of an import.
func (t *Tree) meant(f *File, n syntax.Node, wanted map[string][]int) []int {
	name := f.Syntax.Name(n)
	if list := wanted[string(name)]; list != nil || f.Syntax.Kind(n) != syntax.Name {
		return list
	}
	for b := range f.Names.Lookup(n, name) {
		if f.Syntax.Kind(b.Value) == syntax.Alias && f.Syntax.AsName(b.Value) != nil {
			return wanted[string(f.Syntax.Name(b.Value))]
		}
	}
	return nil
}
