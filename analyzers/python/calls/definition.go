package calls

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// Definition is a function that a person names: where it stands, or by a dotted
// name (package.module.function, Class.method), whose front may be left out.
type Definition struct {
	File   string      // from the root; empty: known by its name alone
	Def    syntax.Node // in File
	Method bool        // of a class
	Name   string      // without a file: dotted
}

// Means reports whether the callee of a call, whose last name is that of the
// definition, is it. Where the callee cannot be resolved, the import that brings
// it must be able to mean it; of an object whose class is not known, a method
// can, and a name that nothing binds.
func (t *Tree) Means(f *File, fun syntax.Node, d Definition) bool {
	if d.File == "" && !strings.Contains(d.Name, ".") {
		return true // the last name is all that was said
	}
	if found := t.Callee(f, fun); found.Def != 0 {
		if d.File != "" {
			return found.Def == d.Def && found.File.Name == d.File
		}
		return endsWith(dottedPath(found), d.Name)
	}
	head, rest := f.chain(fun)
	if head == 0 {
		return d.Method // of what a call or a subscript gives
	}
	imported, bound := f.importedAs(head)
	switch {
	case imported != "":
		full := imported + rest
		if d.File == "" {
			return endsWith(full, d.Name)
		}
		module := full[:max(0, strings.LastIndexByte(full, '.'))]
		return endsWith(modulePath(d.File), module) || endsWith(module, modulePath(d.File))
	case rest != "":
		return d.Method
	}
	return !bound && d.File != ""
}

// chain takes a.b.c apart; head is 0 where something else is in it.
func (f *File) chain(n syntax.Node) (head syntax.Node, rest string) {
	for f.Syntax.Kind(n) == syntax.Attribute {
		rest = "." + string(f.Syntax.Name(n)) + rest
		n = f.Syntax.First(n)
	}
	if f.Syntax.Kind(n) != syntax.Name {
		return 0, rest
	}
	return n, rest
}

// importedAs is the dotted name of what an import binds a name to; bound
// reports whether anything binds it.
func (f *File) importedAs(n syntax.Node) (dotted string, bound bool) {
	for b := range f.Names.Lookup(n, f.Syntax.Name(n)) {
		bound = true
		name := string(f.Syntax.Name(b.Value))
		switch b.How {
		case names.Import:
			if f.Syntax.AsName(b.Value) == nil {
				name, _, _ = strings.Cut(name, ".")
			}
			return name, true
		case names.From:
			module := f.Syntax.Child(f.Syntax.Parent(b.Value), syntax.RoleModule)
			if module == 0 {
				return name, true
			}
			return string(f.Syntax.Name(module)) + "." + name, true
		}
	}
	return "", bound
}

// dottedPath is the dotted name of a function from the root.
func dottedPath(fn Func) string {
	tree := fn.File.Syntax
	out := string(tree.Name(fn.Def))
	for p := range tree.Ancestors(fn.Def) {
		if k := tree.Kind(p); k == syntax.ClassDef || k.IsFunction() {
			out = string(tree.Name(p)) + "." + out
		}
	}
	return modulePath(fn.File.Name) + "." + out
}

// modulePath is the dotted name of a file from the root.
func modulePath(name string) string {
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".py"), "/__init__")
	return strings.ReplaceAll(name, "/", ".")
}

// endsWith reports whether a dotted name ends with another one.
func endsWith(full, end string) bool {
	return full == end || strings.HasSuffix(full, "."+end)
}
