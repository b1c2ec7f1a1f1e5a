package names

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// walker enters what a tree binds. It goes through the nodes as they lie in
// memory and looks for the scope of those that bind, which are few.
type walker struct {
	t    *Table
	tree *syntax.Tree
}

func (w *walker) all() {
	for n := w.tree.Root() + 1; int(n) < w.tree.Len(); n++ {
		switch w.tree.Kind(n) {
		case syntax.FunctionDef, syntax.AsyncFunctionDef:
			w.bind(n, w.t.Scope(n), Binding{How: Function, Part: Whole, Target: n, Value: n})
		case syntax.ClassDef:
			w.bind(n, w.t.Scope(n), Binding{How: Class, Part: Whole, Target: n, Value: n})
		case syntax.Param:
			w.param(n, w.tree.Parent(n))
		case syntax.Assign:
			w.assign(n, w.t.Scope(n))
		case syntax.AnnAssign:
			w.annotated(n, w.t.Scope(n))
		case syntax.AugAssign:
			w.target(w.tree.Child(n, syntax.RoleTarget), w.tree.Child(n, syntax.RoleValue), Augment, Whole, w.t.Scope(n))
		case syntax.NamedExpr:
			w.walrus(n)
		case syntax.For, syntax.AsyncFor, syntax.Comprehension:
			w.target(w.tree.Child(n, syntax.RoleTarget), w.tree.Child(n, syntax.RoleIter), Loop, Whole, w.t.Scope(n))
		case syntax.WithItem:
			if vars := w.tree.Child(n, syntax.RoleVars); vars != 0 {
				w.target(vars, w.tree.Child(n, syntax.RoleContext), With, Whole, w.t.Scope(n))
			}
		case syntax.Import, syntax.ImportFrom:
			w.imports(n, w.t.Scope(n))
		case syntax.ExceptHandler:
			w.named(n, Handler, w.tree.Child(n, syntax.RoleType))
		case syntax.MatchAs, syntax.MatchStar, syntax.MatchMapping:
			w.named(n, Pattern, 0)
		case syntax.Global, syntax.Nonlocal:
			w.outer(n, w.t.Scope(n))
		case syntax.TypeAlias:
			w.target(w.tree.Child(n, syntax.RoleTarget), 0, Other, Whole, w.t.Scope(n))
		}
	}
}

// bind enters a node that carries its name.
func (w *walker) bind(n, scope syntax.Node, b Binding) {
	name := w.tree.Name(n)
	// A name is a part of the text, and what lies behind both is the same: so
	// much is cheaper than its position.
	at := cap(w.tree.Text()) - cap(name)
	w.enter(scope, at, at+len(name), scope, b)
}

// named enters a part of a statement that may carry a name.
func (w *walker) named(n syntax.Node, how How, value syntax.Node) {
	if len(w.tree.Name(n)) > 0 {
		w.bind(n, w.t.Scope(n), Binding{How: how, Part: Whole, Target: n, Value: value})
	}
}

func (w *walker) enter(owner syntax.Node, start, end int, scope syntax.Node, b Binding) {
	b.Scope = scope
	w.t.add(owner, start, end, b)
}

func (w *walker) annotated(n, scope syntax.Node) {
	target := w.tree.Child(n, syntax.RoleTarget)
	w.target(target, w.tree.Child(n, syntax.RoleAnnotation), Annotation, Whole, scope)
	if v := w.tree.Child(n, syntax.RoleValue); v != 0 {
		w.target(target, v, Assign, Whole, scope)
	}
}

func (w *walker) param(p, scope syntax.Node) {
	if tuple := w.tree.Child(p, syntax.RoleTarget); tuple != 0 { // of Python 2
		w.target(tuple, 0, Param, Whole, scope)
		return
	}
	w.bind(p, scope, Binding{How: Param, Part: Whole, Target: p, Value: w.tree.Child(p, syntax.RoleDefault)})
	if a := w.tree.Child(p, syntax.RoleAnnotation); a != 0 {
		w.bind(p, scope, Binding{How: Annotation, Part: Whole, Target: p, Value: a})
	}
}

func (w *walker) assign(n syntax.Node, scope syntax.Node) {
	value := w.tree.Child(n, syntax.RoleValue)
	for target := range w.tree.ChildrenOf(n, syntax.RoleTarget) {
		w.target(target, value, Assign, Whole, scope)
	}
}

// walrus binds in the function around the comprehensions that it stands in.
func (w *walker) walrus(n syntax.Node) {
	scope := w.t.Scope(n)
	for k := w.tree.Kind(scope); k >= syntax.ListComp && k <= syntax.GeneratorExp; k = w.tree.Kind(scope) {
		scope = w.t.Scope(scope)
	}
	w.target(w.tree.Child(n, syntax.RoleTarget), w.tree.Child(n, syntax.RoleValue), Assign, Whole, scope)
}

// target enters what an assignment, loop or with binds. Tuples are taken
// apart; where the value is one of as many elements, each with its own.
func (w *walker) target(n, value syntax.Node, how How, part int16, scope syntax.Node) {
	switch w.tree.Kind(n) {
	case syntax.Name:
		w.enter(scope, w.tree.Start(n), w.tree.End(n), scope, Binding{How: how, Part: part, Target: n, Value: value})
	case syntax.Attribute:
		if class := w.selfClass(w.tree.First(n)); class != 0 {
			end := w.tree.End(n)
			w.enter(class, end-len(w.tree.Name(n)), end, scope, Binding{How: how, Attr: true, Part: part, Target: n, Value: value})
		}
	case syntax.Starred:
		w.target(w.tree.First(n), value, how, part, scope)
	case syntax.Tuple, syntax.List:
		w.unpack(n, value, how, scope)
	}
}

// selfClass is the class whose object a name is: the first parameter of the
// method around it. 0: the name is something else.
func (w *walker) selfClass(object syntax.Node) syntax.Node {
	if w.tree.Kind(object) != syntax.Name {
		return 0
	}
	for p := range w.tree.Ancestors(object) {
		if self := selfName(w.tree, p); self != nil {
			if string(self) == string(w.tree.Name(object)) {
				return w.tree.Parent(p)
			}
			return 0
		}
	}
	return 0
}

func (w *walker) unpack(n, value syntax.Node, how How, scope syntax.Node) {
	element := syntax.Node(0)
	if k := w.tree.Kind(value); how == Assign && (k == syntax.Tuple || k == syntax.List) && w.alike(n, value) {
		element = w.tree.First(value)
	}
	part := int16(0)
	for t := w.tree.First(n); t != 0; t = w.tree.Next(t) {
		if element != 0 {
			w.target(t, element, how, Whole, scope)
			element = w.tree.Next(element)
		} else {
			w.target(t, value, how, part, scope)
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
func (w *walker) imports(n syntax.Node, scope syntax.Node) {
	how := Import
	if w.tree.Kind(n) == syntax.ImportFrom {
		how = From
	}
	for a := range w.tree.ChildrenOf(n, syntax.RoleName) {
		b := Binding{How: how, Part: Whole, Target: a, Value: a}
		if as := w.tree.AsName(a); as != nil {
			w.enter(scope, w.tree.End(a)-len(as), w.tree.End(a), scope, b)
			continue
		}
		name := w.tree.Name(a)
		end := 0
		for end < len(name) && name[end] != '.' {
			end++
		}
		if end > 0 && name[0] != '*' {
			w.enter(scope, w.tree.Start(a), w.tree.Start(a)+end, scope, b)
		}
	}
}

func (w *walker) outer(n syntax.Node, scope syntax.Node) {
	global := w.tree.Kind(n) == syntax.Global
	for id := range w.tree.Children(n) {
		start, end := w.tree.Start(id), w.tree.End(id)
		w.enter(scope, start, end, scope, Binding{How: Outer, Part: Whole, Target: id})
		if global {
			w.t.globals = append(w.t.globals, declared{scope, start, end})
		}
	}
}
