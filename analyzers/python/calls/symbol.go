package calls

import (
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// Meaning is what a name stands for.
type Meaning uint8

// The meanings.
const (
	Module   Meaning = iota + 1 // a file or a folder of files
	Function                    // Node is its definition
	Class                       // Node is its definition
	Value                       // Node is the expression that is assigned
)

// Symbol is what a name stands for, in this file or another. The zero Symbol
// stands for nothing that is known.
type Symbol struct {
	Is   Meaning
	File *File
	Node syntax.Node
	Path string // of a Module: from the root, without .py

	above bool // of a Class: only its bases are meant, by super()
}

// maxHops is how many names are followed from one to the next: far more than
// packages hand on.
const maxHops = 8

// Symbol says what a name, or a chain of names as a.b.c, stands for where it
// is read in a file.
func (t *Tree) Symbol(f *File, n syntax.Node) Symbol { return t.symbol(f, n, maxHops) }

func (t *Tree) symbol(f *File, n syntax.Node, hops int) Symbol {
	if hops == 0 || n == 0 {
		return Symbol{}
	}
	switch f.Syntax.Kind(n) {
	case syntax.Name:
		return t.name(f, n, hops)
	case syntax.Attribute:
		return t.member(t.symbol(f, f.Syntax.First(n), hops-1), f.Syntax.Name(n), hops-1)
	}
	return Symbol{}
}

// name resolves a name by the scope that binds it.
func (t *Tree) name(f *File, n syntax.Node, hops int) Symbol {
	name := f.Syntax.Name(n)
	scope := f.Names.Resolve(n, name)
	if scope == 0 {
		return t.starred(f, name, hops)
	}
	return t.bound(f, scope, name, hops)
}

// bound joins the bindings of a name in one scope: all that are known stand for
// the same, or it stands for nothing.
func (t *Tree) bound(f *File, scope syntax.Node, name []byte, hops int) Symbol {
	var out Symbol
	for b := range f.Names.Bindings(scope, name) {
		if b.Attr || b.How == names.Outer || b.How == names.Annotation {
			continue
		}
		s := t.binding(f, b, hops)
		switch {
		case b.How == names.From || b.How == names.Import:
			if s.Is == 0 {
				continue // of what is not in the tree: try: import fast; except: import slow
			}
		case s.Is == 0:
			return Symbol{}
		}
		if out.Is != 0 && !out.same(s) {
			return Symbol{}
		}
		out = s
	}
	return out
}

// same reports whether two symbols are the same, however they were found: a
// file may be read twice.
func (s Symbol) same(o Symbol) bool {
	return s.Is == o.Is && s.Path == o.Path && s.Node == o.Node && (s.File == nil || s.File.Name == o.File.Name)
}

func (t *Tree) binding(f *File, b names.Binding, hops int) Symbol {
	switch b.How {
	case names.Function:
		return Symbol{Is: Function, File: f, Node: b.Value}
	case names.Class:
		return Symbol{Is: Class, File: f, Node: b.Value}
	case names.Import:
		return t.imported(f, b.Value)
	case names.From:
		return t.fromModule(f, f.Syntax.Parent(b.Value), f.Syntax.Name(b.Value), hops)
	case names.Assign:
		if b.Part != names.Whole || b.Value == 0 {
			return Symbol{}
		}
		if k := f.Syntax.Kind(b.Value); k == syntax.Name || k == syntax.Attribute {
			if s := t.symbol(f, b.Value, hops-1); s.Is != 0 {
				return s
			}
		}
		return Symbol{Is: Value, File: f, Node: b.Value}
	}
	return Symbol{}
}

// imported is the module that import a.b binds: a, or under another name a.b.
func (t *Tree) imported(f *File, alias syntax.Node) Symbol {
	dotted := string(f.Syntax.Name(alias))
	if f.Syntax.AsName(alias) == nil {
		for i := range dotted {
			if dotted[i] == '.' {
				dotted = dotted[:i]
				break
			}
		}
	}
	return t.moduleSymbol(t.moduleOf(f, 0, dotted))
}

func (t *Tree) moduleSymbol(path string, ok bool) Symbol {
	if !ok {
		return Symbol{}
	}
	return Symbol{Is: Module, Path: path}
}

// fromModule is what from m import name binds.
func (t *Tree) fromModule(f *File, from syntax.Node, name []byte, hops int) Symbol {
	module := string(f.Syntax.Name(f.Syntax.Child(from, syntax.RoleModule)))
	return t.member(t.moduleSymbol(t.moduleOf(f, f.Syntax.Level(from), module)), name, hops-1)
}

// member is an attribute of a module or class.
func (t *Tree) member(s Symbol, name []byte, hops int) Symbol {
	if hops <= 0 {
		return Symbol{}
	}
	switch s.Is {
	case Module:
		if file := t.fileOf(s.Path); file != "" {
			if f := t.File(file); f != nil {
				if found := t.global(f, name, hops); found.Is != 0 {
					return found
				}
			}
		}
		return t.moduleSymbol(t.at(s.Path + "/" + string(name)))
	case Class:
		if m := t.Method(s, name); m.Def != 0 {
			return Symbol{Is: Function, File: m.File, Node: m.Def}
		}
	}
	return Symbol{}
}

// global is what a module binds a name to.
func (t *Tree) global(f *File, name []byte, hops int) Symbol {
	for range f.Names.Bindings(f.Syntax.Root(), name) {
		return t.bound(f, f.Syntax.Root(), name, hops)
	}
	return t.starred(f, name, hops)
}

// starred looks for a name in what a file imports as a whole.
func (t *Tree) starred(f *File, name []byte, hops int) Symbol {
	if hops <= 0 || len(name) == 0 {
		return Symbol{}
	}
	var out Symbol
	for _, from := range f.starred() {
		if s := t.fromModule(f, from, name, hops); s.Is != 0 {
			out = s // the last one wins, as when it runs
		}
	}
	return out
}

// Elsewhere reports whether a callee may stand for a function of another file
// of the tree: it begins with what an import brings from there, or with self or
// another object of this file. It reads no file.
func (t *Tree) Elsewhere(f *File, fun syntax.Node) bool {
	head := fun
	for k := f.Syntax.Kind(head); k == syntax.Attribute || k == syntax.Call; k = f.Syntax.Kind(head) {
		head = f.Syntax.First(head)
	}
	if f.Syntax.Kind(head) != syntax.Name {
		return false
	}
	name := f.Syntax.Name(head)
	bound := false
	for b := range f.Names.Lookup(head, name) {
		bound = true
		switch b.How {
		case names.Import:
			if t.imported(f, b.Value).Is != 0 {
				return true
			}
		case names.From:
			from := f.Syntax.Parent(b.Value)
			if _, ok := t.moduleOf(f, f.Syntax.Level(from), string(f.Syntax.Name(f.Syntax.Child(from, syntax.RoleModule)))); ok {
				return true
			}
		case names.Assign, names.Annotation, names.With, names.Param:
			if head != fun {
				return true // an object: of what class is asked later
			}
		}
	}
	return !bound && (string(name) == "super" || len(f.starred()) > 0)
}
