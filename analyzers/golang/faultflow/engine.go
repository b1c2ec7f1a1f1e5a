package faultflow

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// origin says where a fault comes from: the guard, and the functions between.
type origin struct {
	guard string
	via   []string
}

// engine follows the faults of one package. It is made only where there are
// any, since it needs the package's SSA form.
type engine struct {
	pass   *analysis.Pass
	marks  *directives
	apis   *apis
	funcs  []*ssa.Function // declared ones and their literals, in source order
	impls  map[*types.Func][]*types.Func
	byFunc map[*types.Func]*ssa.Function

	may    map[*ssa.Function]*MayFault // of the functions of this package
	iface  map[*types.Func]*MayFault   // of its interface methods
	fields map[*types.Var]*origin      // fields that somewhere take a fault
	pools  map[ssa.Value]*origin       // values that were given a function that may fault: an errgroup
	passed map[param]bool              // parameters that come back in an error result
	sums   map[param]*summary          // what becomes of a fault in a parameter
	calls  map[token.Pos]*ast.CallExpr // by left parenthesis
	known  map[types.Object]bool       // cache of Faulty
}

// param is the parameter of a function, the receiver first.
type param struct {
	fn    *ssa.Function
	index int
}

func newEngine(pass *analysis.Pass, marks *directives, funcs []*ssa.Function) *engine {
	e := &engine{
		pass: pass, marks: marks, apis: readAPIs(), funcs: funcs,
		impls: implementations(pass.Pkg), byFunc: map[*types.Func]*ssa.Function{},
		may: map[*ssa.Function]*MayFault{}, iface: map[*types.Func]*MayFault{},
		fields: map[*types.Var]*origin{}, pools: map[ssa.Value]*origin{},
		passed: map[param]bool{}, sums: map[param]*summary{},
		calls: map[token.Pos]*ast.CallExpr{}, known: map[types.Object]bool{},
	}
	for _, fn := range e.funcs {
		if obj, ok := fn.Object().(*types.Func); ok {
			e.byFunc[obj] = fn
		}
	}
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok {
				e.calls[c.Lparen] = c
			}
			return true
		})
	}
	return e
}

// solve finds the functions that may return a fault, until nothing moves, and
// makes facts of them.
func (e *engine) solve() {
	e.seed()
	for moved := true; moved; {
		moved = false
		for _, fn := range e.funcs {
			moved = e.look(fn) || moved
		}
		moved = e.lift() || moved
	}
	for fn, f := range e.may {
		if obj, ok := fn.Object().(*types.Func); ok {
			e.pass.ExportObjectFact(obj, f)
		}
	}
	for m, f := range e.iface {
		e.pass.ExportObjectFact(m, f)
	}
	e.exportTells()
}

// seed starts with what the directives say.
func (e *engine) seed() {
	for obj := range e.marks.faulty {
		e.pass.ExportObjectFact(obj, &Faulty{})
	}
	for fn := range e.marks.guards {
		results := errorResults(fn.Signature())
		if len(results) == 0 {
			continue // it panics, or it is a predicate
		}
		f := &MayFault{Results: results, Guard: guardName(fn)}
		if s := e.byFunc[fn]; s != nil {
			e.may[s] = f
			if len(e.marks.faulty) == 0 {
				e.learn(s)
			}
		} else {
			e.iface[fn] = f
		}
	}
}

// learn takes the types and variables that a guard returns for faults, where
// the package does not say what its faults are.
func (e *engine) learn(guard *ssa.Function) {
	t := e.tracer(func(v ssa.Value) *origin {
		switch v := v.(type) {
		case *ssa.MakeInterface:
			if obj := typeName(v.X.Type()); obj != nil && obj.Pkg() == e.pass.Pkg {
				e.pass.ExportObjectFact(obj, &Faulty{})
			}
		case *ssa.UnOp:
			if g, ok := v.X.(*ssa.Global); ok && g.Object() != nil && g.Object().Pkg() == e.pass.Pkg && isError(v.Type()) {
				e.pass.ExportObjectFact(g.Object(), &Faulty{})
			}
		}
		return nil // look at all of them
	})
	for _, ret := range returns(guard) {
		for _, v := range ret.Results {
			t.carries(v)
		}
	}
}

// look brings one function up to date and reports whether anything moved.
func (e *engine) look(fn *ssa.Function) bool {
	moved := e.store(fn)
	if e.may[fn] != nil && fn.Object() != nil && e.marks.guards[fn.Object().(*types.Func)] {
		return moved
	}
	for _, ret := range returns(fn) {
		for i, v := range ret.Results {
			if !errorish(v.Type()) || !isErrorResult(fn, i) || e.has(fn, i) {
				continue
			}
			if o := e.tracer(e.source).carries(v); o != nil {
				e.add(fn, i, o)
				moved = true
			}
		}
	}
	return moved
}

func isErrorResult(fn *ssa.Function, i int) bool {
	return slices.Contains(errorResults(fn.Signature), i)
}

func (e *engine) has(fn *ssa.Function, i int) bool {
	return e.may[fn] != nil && slices.Contains(e.may[fn].Results, i)
}

func (e *engine) add(fn *ssa.Function, i int, o *origin) {
	f := e.may[fn]
	if f == nil {
		f = &MayFault{Guard: o.guard, Via: o.via}
		obj, declared := fn.Object().(*types.Func)
		switch {
		case declared && len(e.marks.faulty) > 0:
			f.Guard, f.Via = guardName(obj), nil // within a library of guards the outermost counts
		case declared:
			f.Via = append(slices.Clone(o.via), guardName(obj))
		}
		e.may[fn] = f
	}
	f.Results = append(f.Results, i)
	slices.Sort(f.Results)
}

// store notes which fields of the package take a fault, and which values were
// handed a function that may fault.
func (e *engine) store(fn *ssa.Function) bool {
	moved := false
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Store:
				moved = e.storeField(instr) || moved
			case ssa.CallInstruction:
				moved = e.pool(instr.Common()) || moved
			}
		}
	}
	return moved
}

func (e *engine) storeField(s *ssa.Store) bool {
	addr, ok := s.Addr.(*ssa.FieldAddr)
	if !ok || !errorish(s.Val.Type()) {
		return false
	}
	st, ok := addr.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
	if !ok || e.fields[st.Field(addr.Field)] != nil || !isError(st.Field(addr.Field).Type()) {
		return false
	}
	o := e.tracer(e.source).carries(s.Val)
	if o != nil {
		e.fields[st.Field(addr.Field)] = o
	}
	return o != nil
}

// pool notes the receiver of a method that is given a function which may
// fault: what its other methods return may be that fault.
func (e *engine) pool(c *ssa.CallCommon) bool {
	args := arguments(c)
	fn := callee(c)
	if fn == nil || fn.Signature().Recv() == nil || len(args) < 2 || fn.Pkg() == e.pass.Pkg {
		return false
	}
	if e.pools[args[0]] != nil {
		return false
	}
	for _, arg := range args[1:] {
		if o := e.given(arg); o != nil {
			e.pools[args[0]] = o
			return true
		}
	}
	return false
}

// given is the origin of a function value that may fault.
func (e *engine) given(v ssa.Value) *origin {
	if m, ok := v.(*ssa.MakeClosure); ok {
		v = m.Fn
	}
	if ct, ok := v.(*ssa.ChangeType); ok {
		return e.given(ct.X)
	}
	fn, ok := v.(*ssa.Function)
	if !ok {
		return nil
	}
	if f := e.ofFunction(fn); f != nil {
		return &origin{f.Guard, f.Via}
	}
	return nil
}

// lift gives each interface method what its implementations here have.
func (e *engine) lift() bool {
	moved := false
	for m, impls := range e.impls {
		if e.iface[m] != nil {
			continue
		}
		for _, impl := range impls {
			if f := e.ofDeclared(impl); f != nil {
				e.iface[m] = &MayFault{Results: f.Results, Guard: f.Guard, Via: f.Via}
				moved = true
				break
			}
		}
	}
	return moved
}

func returns(fn *ssa.Function) []*ssa.Return {
	var out []*ssa.Return
	for _, b := range fn.Blocks {
		if len(b.Instrs) == 0 {
			continue
		}
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			out = append(out, r)
		}
	}
	return out
}

// guardName is how messages name a guard: guards.CheckTokenIDs.
func guardName(fn *types.Func) string {
	if fn.Signature().Recv() != nil || fn.Pkg() == nil {
		return shortName(fn, nil)
	}
	return fn.Pkg().Name() + "." + fn.Name()
}
