package names

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// walker goes through a tree once and enters what it binds.
type walker struct {
	t    *Table
	tree *syntax.Tree
}

// context is what a stretch of code stands in.
type context struct {
	scope syntax.Node
	class syntax.Node // whose methods self belongs to, 0: none
	self  []byte
}

func (w *walker) children(n syntax.Node, c context) {
	for child := w.tree.First(n); child != 0; child = w.tree.Next(child) {
		w.node(child, c)
	}
}

func (w *walker) node(n syntax.Node, c context) {
	switch w.tree.Kind(n) {
	case syntax.Name, syntax.Constant, syntax.Pass, syntax.Break, syntax.Continue:
		return // most nodes: they bind nothing and hold nothing
	case syntax.FunctionDef, syntax.AsyncFunctionDef, syntax.Lambda:
		w.function(n, c)
		return
	case syntax.ClassDef:
		w.bind(n, c, Binding{How: Class, Part: Whole, Target: n, Value: n})
		w.scoped(n, c, context{scope: n, class: n})
		return
	case syntax.ListComp, syntax.SetComp, syntax.DictComp, syntax.GeneratorExp:
		c.scope = n
	case syntax.Assign:
		w.assign(n, c)
	case syntax.AnnAssign:
		target := w.tree.Child(n, syntax.RoleTarget)
		w.target(target, w.tree.Child(n, syntax.RoleAnnotation), Annotation, Whole, c)
		if v := w.tree.Child(n, syntax.RoleValue); v != 0 {
			w.target(target, v, Assign, Whole, c)
		}
	case syntax.AugAssign:
		w.target(w.tree.Child(n, syntax.RoleTarget), w.tree.Child(n, syntax.RoleValue), Augment, Whole, c)
	case syntax.NamedExpr:
		w.walrus(n, c)
	case syntax.For, syntax.AsyncFor, syntax.Comprehension:
		w.target(w.tree.Child(n, syntax.RoleTarget), w.tree.Child(n, syntax.RoleIter), Loop, Whole, c)
	case syntax.WithItem:
		w.target(w.tree.Child(n, syntax.RoleVars), w.tree.Child(n, syntax.RoleContext), With, Whole, c)
	case syntax.Import, syntax.ImportFrom:
		w.imports(n, c)
		return
	case syntax.ExceptHandler:
		if len(w.tree.Name(n)) > 0 {
			w.bind(n, c, Binding{How: Handler, Part: Whole, Target: n, Value: w.tree.Child(n, syntax.RoleType)})
		}
	case syntax.MatchAs, syntax.MatchStar, syntax.MatchMapping:
		if len(w.tree.Name(n)) > 0 {
			w.bind(n, c, Binding{How: Pattern, Part: Whole, Target: n})
		}
	case syntax.Global, syntax.Nonlocal:
		w.outer(n, c)
		return
	case syntax.TypeAlias:
		w.target(w.tree.Child(n, syntax.RoleTarget), 0, Other, Whole, c)
	}
	w.children(n, c)
}

// bind enters a node that carries its name.
func (w *walker) bind(n syntax.Node, c context, b Binding) {
	at := w.tree.NamePos(n).Offset
	w.enter(c.scope, at, at+len(w.tree.Name(n)), b, c)
}

func (w *walker) enter(owner syntax.Node, start, end int, b Binding, c context) {
	b.Scope = c.scope
	w.t.add(owner, start, end, b)
}

// scoped visits the children of a definition, each in the scope where it is
// evaluated.
func (w *walker) scoped(n syntax.Node, outside, inside context) {
	for child := w.tree.First(n); child != 0; child = w.tree.Next(child) {
		if within(w.tree, n, child) {
			w.node(child, inside)
			continue
		}
		w.node(child, outside)
	}
}

func (w *walker) function(n syntax.Node, c context) {
	inside := context{scope: n, class: c.class, self: c.self}
	if w.tree.Kind(n) != syntax.Lambda {
		w.bind(n, c, Binding{How: Function, Part: Whole, Target: n, Value: n})
		if w.tree.Kind(c.scope) == syntax.ClassDef {
			inside.self = selfName(w.tree, n)
		}
	}
	for p := range w.tree.ChildrenOf(n, syntax.RoleParam) {
		w.param(p, inside)
	}
	w.scoped(n, c, inside)
}

func (w *walker) param(p syntax.Node, c context) {
	if tuple := w.tree.Child(p, syntax.RoleTarget); tuple != 0 { // of Python 2
		w.target(tuple, 0, Param, Whole, c)
		return
	}
	w.bind(p, c, Binding{How: Param, Part: Whole, Target: p, Value: w.tree.Child(p, syntax.RoleDefault)})
	if a := w.tree.Child(p, syntax.RoleAnnotation); a != 0 {
		w.bind(p, c, Binding{How: Annotation, Part: Whole, Target: p, Value: a})
	}
}

func (w *walker) assign(n syntax.Node, c context) {
	value := w.tree.Child(n, syntax.RoleValue)
	for target := range w.tree.ChildrenOf(n, syntax.RoleTarget) {
		w.target(target, value, Assign, Whole, c)
	}
}

// walrus binds in the function around the comprehensions that it stands in.
func (w *walker) walrus(n syntax.Node, c context) {
	for k := w.tree.Kind(c.scope); k >= syntax.ListComp && k <= syntax.GeneratorExp; k = w.tree.Kind(c.scope) {
		c.scope = w.t.Scope(c.scope)
	}
	w.target(w.tree.Child(n, syntax.RoleTarget), w.tree.Child(n, syntax.RoleValue), Assign, Whole, c)
}

// target enters what an assignment, loop or with binds. Tuples are taken
// apart; where the value is one of as many elements, each with its own.
func (w *walker) target(n, value syntax.Node, how How, part int16, c context) {
	switch w.tree.Kind(n) {
	case syntax.Name:
		w.enter(c.scope, w.tree.Start(n), w.tree.End(n), Binding{How: how, Part: part, Target: n, Value: value}, c)
	case syntax.Attribute:
		object := w.tree.First(n)
		if c.self != nil && w.tree.Kind(object) == syntax.Name && string(w.tree.Name(object)) == string(c.self) {
			end := w.tree.End(n)
			w.enter(c.class, end-len(w.tree.Name(n)), end, Binding{How: how, Attr: true, Part: part, Target: n, Value: value}, c)
		}
	case syntax.Starred:
		w.target(w.tree.First(n), value, how, part, c)
	case syntax.Tuple, syntax.List:
		w.unpack(n, value, how, c)
	}
}

func (w *walker) unpack(n, value syntax.Node, how How, c context) {
	element := syntax.Node(0)
	if k := w.tree.Kind(value); how == Assign && (k == syntax.Tuple || k == syntax.List) && w.alike(n, value) {
		element = w.tree.First(value)
	}
	part := int16(0)
	for t := w.tree.First(n); t != 0; t = w.tree.Next(t) {
		if element != 0 {
			w.target(t, element, how, Whole, c)
			element = w.tree.Next(element)
		} else {
			w.target(t, value, how, part, c)
		}
		if part < 1<<14 {
			part++
		}
	}
}

// alike reports whether a target and a value have as many elements, none of
// them starred.
func (w *walker) alike(target, value syntax.Node) bool {
	t, v := w.tree.First(target), w.tree.First(value)
	for t != 0 && v != 0 {
		if w.tree.Kind(t) == syntax.Starred || w.tree.Kind(v) == syntax.Starred {
			return false
		}
		t, v = w.tree.Next(t), w.tree.Next(v)
	}
	return t == 0 && v == 0
}

// imports enters the names of an import: of import a.b the name a, unless it
// has another.
func (w *walker) imports(n syntax.Node, c context) {
	how := Import
	if w.tree.Kind(n) == syntax.ImportFrom {
		how = From
	}
	for a := range w.tree.ChildrenOf(n, syntax.RoleName) {
		b := Binding{How: how, Part: Whole, Target: a, Value: a}
		if as := w.tree.AsName(a); as != nil {
			w.enter(c.scope, w.tree.End(a)-len(as), w.tree.End(a), b, c)
			continue
		}
		name := w.tree.Name(a)
		end := 0
		for end < len(name) && name[end] != '.' {
			end++
		}
		if end > 0 && name[0] != '*' {
			w.enter(c.scope, w.tree.Start(a), w.tree.Start(a)+end, b, c)
		}
	}
}

func (w *walker) outer(n syntax.Node, c context) {
	global := w.tree.Kind(n) == syntax.Global
	for id := range w.tree.Children(n) {
		start, end := w.tree.Start(id), w.tree.End(id)
		w.enter(c.scope, start, end, Binding{How: Outer, Part: Whole, Target: id}, c)
		if global {
			w.t.globals = append(w.t.globals, declared{c.scope, start, end})
		}
	}
}
