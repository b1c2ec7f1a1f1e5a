package sites

import (
	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// maxFiles is through how many files an object or ids are followed.
const maxFiles = 4

// beyond asks again what a call is, and goes into functions and other files for
// it: only where what stands around the call does not say, since it is slower.
func (f *Finder) beyond(ask func()) {
	if f.Across == nil {
		return
	}
	f.wide = true
	ask()
	f.wide = false
}

// in makes a Finder of another file, that spends what this one has left; nil:
// it has been gone far enough.
func (f *Finder) in(file *calls.File) *Finder {
	if file.Name == f.file.Name {
		return f // the same nodes, whoever read it
	}
	if f.depth >= maxFiles {
		return nil
	}
	if f.away == nil {
		f.away = &Finder{Across: f.Across, known: f.known, low: f.low, spoke: map[*catalog.Names]bool{}, depth: f.depth + 1}
	}
	f.away.turn(file)
	f.away.wide, f.away.left = true, f.left
	return f.away
}

// back takes over what a Finder of another file has left.
func (f *Finder) back(g *Finder) {
	if g != nil {
		f.left = g.left
	}
}

// elsewhere says what a name or an attribute stands for in another file, or by
// the class of the object.
func (f *Finder) elsewhere(n syntax.Node, hops int) sort {
	if !f.wide || !f.spend() {
		return unclear
	}
	out := unclear
	f.assigned(n, func(g *Finder, b names.Binding) bool {
		out = g.binding(b, hops-1)
		return out != unclear
	})
	if out == unclear {
		out = f.lineageSort(f.Across.ClassOf(f.file, n))
	}
	return out
}

// assigned visits what other files bind to a name, or to an attribute of self,
// until somebody has seen enough.
func (f *Finder) assigned(n syntax.Node, enough func(g *Finder, b names.Binding) bool) {
	visit := func(file *calls.File, b names.Binding) bool {
		g := f.in(file)
		if g == nil || !f.spend() {
			return true
		}
		defer f.back(g)
		return enough(g, b)
	}
	if f.tree.Kind(n) == syntax.Attribute && f.names.IsSelf(f.tree.First(n)) {
		class := calls.Symbol{Is: calls.Class, File: f.file, Node: f.names.Class(n)}
		for file, b := range f.Across.Attr(class, f.tree.Name(n)) {
			if file != f.file && visit(file, b) {
				return
			}
		}
		return
	}
	if s := f.Across.Symbol(f.file, n); s.Is == calls.Value && s.File != f.file {
		visit(s.File, names.Binding{How: names.Assign, Part: names.Whole, Value: s.Node})
	}
}

// returned visits what the function that a call calls gives back.
func (f *Finder) returned(call syntax.Node, enough func(g *Finder, value syntax.Node) bool) {
	if !f.wide || !f.spend() {
		return
	}
	fn := f.Across.Callee(f.file, call)
	if fn.Def == 0 {
		return
	}
	g := f.in(fn.File)
	if g == nil {
		return
	}
	defer f.back(g)
	g.tree.Walk(fn.Def, func(n syntax.Node) syntax.Walk {
		k := g.tree.Kind(n)
		if n != fn.Def && (k.IsFunction() || k == syntax.Lambda) {
			return syntax.Over
		}
		if g.walk--; g.walk < 0 || k == syntax.Return && g.tree.First(n) != 0 && enough(g, g.tree.First(n)) {
			return syntax.Stop
		}
		return syntax.Into
	})
}

// madeBy says what a call makes by the class that it calls, or by what the
// function gives back.
func (f *Finder) madeBy(call syntax.Node, hops int) sort {
	if !f.wide || hops <= 1 {
		return unclear
	}
	if s := f.lineageSort(f.Across.Symbol(f.file, f.function(call))); s != unclear {
		return s
	}
	out := unclear
	f.returned(call, func(g *Finder, value syntax.Node) bool {
		out = g.value(value, hops-1)
		return out != unclear
	})
	return out
}

// lineageSort judges a class by its name and its bases, wherever they are
// defined, and by what methods they have. What a network decodes is no text.
func (f *Finder) lineageSort(class calls.Symbol) sort {
	net := false
	for c := range f.Across.Lineage(class) {
		g := f.in(c.File)
		if g == nil || !f.spend() {
			return unclear
		}
		for _, name := range g.classNames(c.Node) {
			if s := g.classSort(name); s != unclear {
				return s
			}
			net = net || f.known.moduleClass.Has(name)
		}
		if g.defines(c.Node, "decode") && g.decodesIDs(c.Node) {
			return token
		}
	}
	if net {
		return network
	}
	return unclear
}

func (f *Finder) defines(class syntax.Node, method string) bool {
	for b := range f.names.Bindings(class, []byte(method)) {
		if b.How == names.Function {
			return true
		}
	}
	return false
}

// lineageHas reports whether a class or one of its bases has one of these names.
func (f *Finder) lineageHas(class calls.Symbol, classes *catalog.Names) bool {
	for c := range f.Across.Lineage(class) {
		g := f.in(c.File)
		if g == nil || !f.spend() {
			return false
		}
		for _, name := range g.classNames(c.Node) {
			if classes.Has(name) {
				return true
			}
		}
	}
	return false
}

// boundBeyond is boundTo of what another file binds, and of the object's class.
func (f *Finder) boundBeyond(n syntax.Node, classes *catalog.Names, hops int) bool {
	if !f.wide || hops <= 1 || !f.spend() {
		return false
	}
	out := false
	f.assigned(n, func(g *Finder, b names.Binding) bool {
		out = g.bindsTo(b, classes, hops-1)
		return out
	})
	return out || f.lineageHas(f.Across.ClassOf(f.file, n), classes)
}

// madeBeyond reports whether what a call makes is of one of these classes, by
// its bases, or by what the function gives back.
func (f *Finder) madeBeyond(call syntax.Node, classes *catalog.Names, hops int) bool {
	if !f.wide || hops <= 1 {
		return false
	}
	if f.lineageHas(f.Across.Symbol(f.file, f.function(call)), classes) {
		return true
	}
	out := false
	f.returned(call, func(g *Finder, value syntax.Node) bool {
		out = g.boundTo(value, classes, hops-1)
		return out
	})
	return out
}
