package faultflow

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/golang/sites"
	"github.com/trainvet/trainvet/analyzers/site"
)

// Way is how code comes to a site or guard.
type Way struct {
	Kinds Kinds
	At    token.Pos // the call, or the name of a function that is handed on
	Via   string    // what is called there
}

// reach answers, for the functions of one package, what lies below them. A
// function that is named counts as called: it may be handed to one that calls
// it, and a method of an interface stands for its implementations here.
type reach struct {
	pass  *analysis.Pass
	marks *directives
	found *sites.Result
	decls map[*types.Func]*ast.FuncDecl
	order []*types.Func // of the declarations: answers do not hang on a map's order
	impls map[*types.Func][]*types.Func
	done  map[*types.Func]Reaches
}

func newReach(pass *analysis.Pass, marks *directives, found *sites.Result) *reach {
	r := &reach{
		pass: pass, marks: marks, found: found,
		decls: map[*types.Func]*ast.FuncDecl{},
		impls: implementations(pass.Pkg),
		done:  map[*types.Func]Reaches{},
	}
	for _, f := range pass.Files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				if fn, ok := pass.TypesInfo.Defs[d.Name].(*types.Func); ok {
					r.decls[fn] = d
					r.order = append(r.order, fn)
				}
			}
		}
	}
	r.solve()
	return r
}

// export makes facts of every function that comes to anything.
func (r *reach) export() {
	for fn := range r.done {
		if fn.Pkg() != r.pass.Pkg {
			continue
		}
		if f := r.of(fn); f.Kinds != 0 {
			r.pass.ExportObjectFact(fn, &Reaches{Kinds: f.Kinds, Via: f.Via})
		}
	}
}

// of answers for one function.
func (r *reach) of(fn *types.Func) Reaches {
	if f, ok := r.done[fn]; ok {
		return f
	}
	var f Reaches
	if fn.Pkg() != r.pass.Pkg {
		r.pass.ImportObjectFact(fn, &f)
		var fault MayFault
		if r.pass.ImportObjectFact(fn, &fault) {
			f.add(Guard, fault.Guard) // a guard by the type of its error
		}
		r.done[fn] = f
	}
	return f
}

// solve carries what each function meets to those that name it, until nothing
// moves: kinds only grow, so it ends.
func (r *reach) solve() {
	for fn := range r.marks.guards {
		r.done[fn] = Reaches{Kinds: Guard, Via: shortName(fn, nil)}
	}
	type edge struct{ from, to *types.Func }
	var edges []edge
	for _, fn := range r.order {
		w := r.within(r.decls[fn].Body)
		f := r.done[fn]
		f.add(w.Kinds, w.Via)
		r.done[fn] = f
		for _, to := range r.named(r.decls[fn].Body) {
			edges = append(edges, edge{fn, to})
		}
	}
	for m, impls := range r.impls {
		for _, impl := range impls {
			edges = append(edges, edge{m, impl})
		}
	}
	for moved := true; moved; {
		moved = false
		for _, e := range edges {
			f, below := r.done[e.from], r.of(e.to)
			if below.Kinds&^f.Kinds == 0 {
				continue
			}
			f.add(below.Kinds, below.Via)
			r.done[e.from], moved = f, true
		}
	}
}

// named lists the functions of this package that code names.
func (r *reach) named(node ast.Node) []*types.Func {
	var out []*types.Func
	seen := map[*types.Func]bool{}
	ast.Inspect(node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			fn, ok := r.pass.TypesInfo.Uses[id].(*types.Func)
			if ok && fn.Pkg() == r.pass.Pkg && !seen[fn.Origin()] {
				seen[fn.Origin()] = true
				out = append(out, fn.Origin())
			}
		}
		return true
	})
	return out
}

func (f *Reaches) add(k Kinds, via string) {
	f.Kinds |= k
	if f.Via == "" {
		f.Via = via
	}
}

// within looks at the calls and the function names of a piece of code.
func (r *reach) within(node ast.Node) Way {
	var w Way
	meet := func(k Kinds, at token.Pos, via string) {
		if k != 0 && w.Kinds == 0 {
			w.At, w.Via = at, via
		}
		w.Kinds |= k
	}
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if s := r.found.At(n); s != nil {
				meet(kindsOf(s.Kind), n.Pos(), s.ID.Callee)
			}
		case *ast.Ident:
			if fn, ok := r.pass.TypesInfo.Uses[n].(*types.Func); ok {
				below := r.of(fn.Origin())
				meet(below.Kinds, n.Pos(), below.Via)
			}
		}
		return true
	})
	return w
}

// implementations maps each method of the package's interfaces to the methods
// of its types that stand behind it.
func implementations(pkg *types.Package) map[*types.Func][]*types.Func {
	var ifaces, others []*types.Named
	for _, name := range pkg.Scope().Names() {
		obj, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() {
			continue
		}
		named, ok := obj.Type().(*types.Named)
		if !ok || named.TypeParams().Len() > 0 {
			continue
		}
		if types.IsInterface(named) {
			ifaces = append(ifaces, named)
		} else if named.NumMethods() > 0 {
			others = append(others, named)
		}
	}
	out := map[*types.Func][]*types.Func{}
	for _, i := range ifaces {
		iface := i.Underlying().(*types.Interface)
		for _, t := range others {
			if iface.NumMethods() == 0 || !types.Implements(types.NewPointer(t), iface) {
				continue
			}
			for m := range iface.Methods() {
				if m.Pkg() != pkg {
					continue // of an embedded interface: others implement it, too
				}
				obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, pkg, m.Name())
				if impl, ok := obj.(*types.Func); ok {
					out[m] = append(out[m], impl.Origin())
				}
			}
		}
	}
	return out
}

func kindsOf(k site.Kind) Kinds {
	switch k {
	case site.Decode:
		return Decode
	case site.Step:
		return Step
	case site.Implicit:
		return Decode | Step
	}
	return 0
}
