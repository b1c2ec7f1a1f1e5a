package guarded

import (
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/flow"
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// function is one function that is looked at: its graph, what it assigns, the
// guards that it calls.
type function struct {
	a       *Analyzer
	g       *flow.Graph
	defs    []def                      // by vertex
	defAt   []int32                    // by vertex: its first one
	guards  []guard                    // by vertex
	guardAt []int32                    // by vertex: its first one
	plain   []bool                     // by vertex: it changes nothing that is known of any variable
	doomed  []answer                   // by edge: whether everyone raises who takes another one
	byHead  map[string][]int32         // definitions by the name that they begin with
	others  others                     // calls of what other files may define
	kin     map[string]map[string]bool // variables that one is taken from
	leaves  []syntax.Node              // what leaves a block: raise, return, break, the end of the process
	raising bool                       // something raises or ends the process
	asserts []flow.Vertex
	checked map[string]bool // names in tests that decide whether something is raised, and what they are made of
	solved  map[string]*solution
	reach   map[string][]int32
	open    []*solution // those that may still change
	ready   bool        // all its guards are known
}

// def is a place that gives a variable a value.
type def struct {
	at      flow.Vertex
	key     string
	value   syntax.Node // 0: something unknown
	part    int16
	loop    bool // value is gone over
	partial bool // added to what was there
}

// guard is a call of a guard.
type guard struct {
	at   flow.Vertex
	call syntax.Node
	what guardCall
}

// function makes or finds what is known of a function.
func (a *Analyzer) function(n syntax.Node) *function {
	if f := a.functions[n]; f != nil {
		return f
	}
	f := &function{a: a, g: a.builder.Build(a.tree, n, nil), solved: map[string]*solution{}, reach: map[string][]int32{}}
	a.functions[n] = f
	a.tree.Walk(n, func(c syntax.Node) syntax.Walk {
		if k := a.tree.Kind(c); c != n && (k.IsFunction() || k == syntax.Lambda) {
			return syntax.Over
		}
		f.collect(c)
		return syntax.Into
	})
	f.sort()
	f.raisers(n)
	return f
}

// raisers takes down the names on which it depends whether something is raised.
func (f *function) raisers(fn syntax.Node) {
	tree := f.a.tree
	var names []string
	add := func(n syntax.Node) {
		for c := range tree.Preorder(n) {
			if tree.Kind(c) != syntax.Name {
				continue
			}
			if name := string(tree.Name(c)); !f.checked[name] {
				f.checked[name] = true
				names = append(names, name)
			}
		}
	}
	if !f.raising {
		return
	}
	f.checked = map[string]bool{}
	for _, r := range f.leaves {
		for p := tree.Parent(r); p != fn && p != 0; p = tree.Parent(p) {
			switch tree.Kind(p) {
			case syntax.If, syntax.While:
				add(tree.Child(p, syntax.RoleTest))
			case syntax.For, syntax.AsyncFor:
				add(tree.Child(p, syntax.RoleIter))
			}
		}
	}
	for len(names) > 0 { // bad = ids >= n
		name := names[0]
		names = names[1:]
		for _, i := range f.byHead[name] {
			if d := &f.defs[i]; d.value != 0 {
				add(d.value)
			}
		}
	}
}

// sort brings the definitions into the order of the vertices; those of one
// stay in that of the source.
func (f *function) sort() {
	slices.SortStableFunc(f.defs, func(a, b def) int { return int(a.at) - int(b.at) })
	f.byHead = f.heads()
	f.defAt = make([]int32, f.g.Len()+1)
	for i := range f.defs {
		f.defAt[f.defs[i].at+1]++
	}
	for v := range f.g.Len() {
		f.defAt[v+1] += f.defAt[v]
	}
	slices.SortStableFunc(f.guards, func(a, b guard) int { return int(a.at) - int(b.at) })
	f.guardAt, f.asserts, f.plain = make([]int32, f.g.Len()+1), nil, make([]bool, f.g.Len())
	for i := range f.guards {
		f.guardAt[f.guards[i].at+1]++
	}
	for v := range f.g.Len() {
		f.guardAt[v+1] += f.guardAt[v]
		tests := false
		switch f.a.tree.Kind(f.g.Node(flow.Vertex(v))) {
		case syntax.Assert:
			f.asserts = append(f.asserts, flow.Vertex(v))
		case syntax.If, syntax.While, syntax.For, syntax.AsyncFor:
			tests = true
		}
		f.plain[v] = !tests && f.defAt[v] == f.defAt[v+1] && f.guardAt[v] == f.guardAt[v+1]
	}
	f.ready = true
}

// heads lists the definitions by the name that they begin with.
func (f *function) heads() map[string][]int32 {
	out := make(map[string][]int32, len(f.defs))
	for i := range f.defs {
		h := head(f.defs[i].key)
		out[h] = append(out[h], int32(i))
	}
	return out
}

// collect takes down what a node assigns.
func (f *function) collect(n syntax.Node) {
	tree := f.a.tree
	switch tree.Kind(n) {
	case syntax.Assign:
		for t := range tree.ChildrenOf(n, syntax.RoleTarget) {
			f.target(n, t, tree.Child(n, syntax.RoleValue), names.Whole, false)
		}
	case syntax.AnnAssign:
		if v := tree.Child(n, syntax.RoleValue); v != 0 {
			f.target(n, tree.Child(n, syntax.RoleTarget), v, names.Whole, false)
		}
	case syntax.NamedExpr:
		f.target(n, tree.Child(n, syntax.RoleTarget), tree.Child(n, syntax.RoleValue), names.Whole, false)
	case syntax.AugAssign:
		v := tree.Child(n, syntax.RoleValue)
		if tree.Op(n) != syntax.Add {
			v = 0
		}
		f.add(n, def{key: f.a.key(tree.Child(n, syntax.RoleTarget)), value: v, part: names.Whole, partial: true})
	case syntax.For, syntax.AsyncFor:
		f.target(n, tree.Child(n, syntax.RoleTarget), tree.Child(n, syntax.RoleIter), names.Whole, true)
	case syntax.WithItem:
		if t := tree.Child(n, syntax.RoleVars); t != 0 {
			f.target(n, t, 0, names.Whole, false)
		}
	case syntax.MatchAs, syntax.MatchStar, syntax.ExceptHandler:
		if name := tree.Name(n); name != nil {
			f.add(n, def{key: string(name), part: names.Whole})
		}
	case syntax.Raise, syntax.Return, syntax.Break, syntax.Continue:
		f.leaves = append(f.leaves, n)
		f.raising = f.raising || tree.Kind(n) == syntax.Raise
	case syntax.Call:
		if f.a.ends(n) {
			f.leaves, f.raising = append(f.leaves, n), true
		}
		f.call(n)
	}
}

// call takes down guards, and what grows a list.
func (f *function) call(n syntax.Node) {
	tree := f.a.tree
	fun := tree.First(n)
	if tree.Kind(fun) == syntax.Attribute && f.a.known.grow.May(tree.Name(fun)) && f.a.known.grow.Has(f.a.last(fun)) {
		if k := f.a.key(tree.First(fun)); k != "" {
			arg := tree.Child(n, syntax.RoleArg)
			if f.a.last(fun) == "insert" {
				arg = tree.Next(arg)
			}
			f.add(n, def{key: k, value: arg, part: names.Whole, partial: true})
		}
	}
	if !f.g.Unconditional(n) {
		return
	}
	if g, known := f.a.guardHere(n); g.arg != 0 {
		f.addGuard(n, g)
	} else if !known && f.a.depth > 0 && f.a.takes(n) {
		f.others.calls = append(f.others.calls, n)
	}
}

func (f *function) addGuard(call syntax.Node, g guardCall) {
	for v := range f.g.At(call) {
		f.guards = append(f.guards, guard{v, call, g})
	}
}

// target takes down one target; tuples are taken apart.
func (f *function) target(n, t, value syntax.Node, part int16, loop bool) {
	tree := f.a.tree
	switch tree.Kind(t) {
	case syntax.Starred:
		f.target(n, tree.First(t), value, part, loop)
	case syntax.Tuple, syntax.List:
		i := int16(0)
		e := syntax.Node(0)
		if k := tree.Kind(value); !loop && (k == syntax.Tuple || k == syntax.List) {
			e = tree.First(value)
		}
		for c := tree.First(t); c != 0; c = tree.Next(c) {
			switch k := tree.Kind(c); {
			case e != 0:
				f.target(n, c, e, names.Whole, false)
				e = tree.Next(e)
			case loop && (k == syntax.Tuple || k == syntax.List): // for i, (a, b) in enumerate(zip(x, y))
				inner, _ := f.a.iterated(value, i)
				f.target(n, c, inner, names.Whole, true)
			default:
				f.target(n, c, value, i, loop)
			}
			i++
		}
	case syntax.Subscript:
		if k := f.a.key(t); k != "" {
			f.add(n, def{key: k, value: value, part: part, loop: loop})
			return
		}
		f.add(n, def{key: f.a.key(tree.First(t)), value: value, part: part, loop: loop, partial: true})
	default:
		f.add(n, def{key: f.a.key(t), value: value, part: part, loop: loop})
	}
}

func (f *function) add(n syntax.Node, d def) {
	if d.key == "" {
		return
	}
	for v := range f.g.At(n) {
		d.at = v
		f.defs = append(f.defs, d)
	}
}

// defines reports whether a definition changes a variable: itself or what it
// is a part of.
func (d *def) defines(key string) bool {
	if d.key == key {
		return true
	}
	rest, ok := strings.CutPrefix(key, d.key)
	return ok && (rest[0] == '.' || rest[0] == '[')
}

// assigned is the value that a definition gives to a variable.
func (f *function) assigned(d *def, key string) value {
	switch {
	case d.value == 0:
		return unknown
	case d.key != key: // enc = tok(text), and enc.input_ids is asked for
		if d.partial {
			return top
		}
		if v := f.value(d.value, d.at, maxHops); v.guard == 0 && v.bits == both && !v.empty {
			return v
		}
		return unknown
	case d.loop:
		return f.element(d.value, d.part, d.at, maxHops)
	case d.part != names.Whole:
		if root, _, _ := f.a.base(d.value); f.a.tree.Kind(root) == syntax.Call {
			return unknown // one of several results
		}
	}
	return f.value(d.value, d.at, maxHops)
}
