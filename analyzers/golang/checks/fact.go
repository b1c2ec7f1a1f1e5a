package checks

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers/golang/sites"
)

// Fact is the summary of an exported function, for other packages.
type Fact struct {
	Nil, True, False, Return []Param
	Gives                    []Param // by the index of the result
	Limits                   []int   // the arguments that it takes for an upper bound
	Copies                   int     // the argument, from 1, whose numbers it gives back; 0: none
}

// Param is what is proven of one argument.
type Param struct {
	Index int
	Bits  Bits
}

// AFact marks it as one.
func (*Fact) AFact() {}

func (f *Fact) String() string {
	var words []string
	for _, part := range []struct {
		when string
		list []Param
	}{{"nil", f.Nil}, {"true", f.True}, {"false", f.False}, {"return", f.Return}, {"gives", f.Gives}} {
		for _, p := range part.list {
			words = append(words, fmt.Sprintf("%s:%d=%d", part.when, p.Index, p.Bits))
		}
	}
	for _, i := range f.Limits {
		words = append(words, fmt.Sprintf("limit:%d", i))
	}
	if f.Copies > 0 {
		words = append(words, fmt.Sprintf("copies:%d", f.Copies-1))
	}
	return "checks " + strings.Join(words, " ")
}

// Summary is the fact as a summary.
func (f *Fact) Summary() *Summary {
	unpack := func(list []Param) map[int]Bits {
		m := map[int]Bits{}
		for _, p := range list {
			m[p.Index] = p.Bits
		}
		return m
	}
	limits := map[int]bool{}
	for _, i := range f.Limits {
		limits[i] = true
	}
	return &Summary{Nil: unpack(f.Nil), True: unpack(f.True), False: unpack(f.False), Return: unpack(f.Return), Gives: unpack(f.Gives), Limits: limits}
}

func pack(m map[int]Bits) []Param {
	var list []Param
	for _, i := range slices.Sorted(maps.Keys(m)) {
		list = append(list, Param{i, m[i]})
	}
	return list
}

// export makes the facts of the exported functions that look as if they
// checked: most packages have none, and are left without building their SSA.
func (p *Package) export() {
	for _, file := range p.pass.Files {
		for _, d := range file.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Body == nil || !decl.Name.IsExported() {
				continue
			}
			fn, ok := p.pass.TypesInfo.Defs[decl.Name].(*types.Func)
			if !ok || !p.mayCheck(decl, fn) {
				continue
			}
			if _, byDirective := p.sites.Guard(fn); byDirective {
				continue // its own fact says so
			}
			if fact := p.fact(fn); fact != nil {
				p.pass.ExportObjectFact(fn, fact)
			}
		}
	}
}

// fact is what other packages need to know of a function; nil: nothing.
func (p *Package) fact(fn *types.Func) *Fact {
	var f Fact
	if s := p.declare(fn); s.guardsAny() {
		f = Fact{pack(s.Nil), pack(s.True), pack(s.False), pack(s.Return), pack(s.Gives), slices.Sorted(maps.Keys(s.Limits)), 0}
	}
	if body := p.prog.Decl(fn); body != nil && numbers(fn.Signature().Results()) {
		f.Copies = p.copied(body) + 1
	}
	if f.Copies == 0 && len(f.Nil)+len(f.True)+len(f.False)+len(f.Return)+len(f.Gives) == 0 {
		return nil
	}
	return &f
}

func (s *Summary) guardsAny() bool {
	if s == nil {
		return false
	}
	for _, m := range []map[int]Bits{s.Nil, s.True, s.False, s.Return, s.Gives} {
		for _, b := range m {
			if b&Upper != 0 {
				return true
			}
		}
	}
	return false
}

// mayCheck is the fast path: a function that can be a guard takes ids or gives
// them, answers with an error or a bool or panics, and compares in a loop or
// calls a guard.
func (p *Package) mayCheck(decl *ast.FuncDecl, fn *types.Func) bool {
	sig := fn.Signature()
	list, single := false, false
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		list = list || sites.IsIDList(t)
		single = single || sites.IsID(t)
	}
	for i := range sig.Results().Len() {
		list = list || sites.IsIDList(sig.Results().At(i).Type())
	}
	if !list && !single {
		return false
	}
	if list && sig.Results().Len() == 1 && sites.IsIDList(sig.Results().At(0).Type()) {
		return true // it may give back what it is given
	}
	loops, compares, answers := false, false, false
	if n := sig.Results().Len(); n > 0 {
		last := sig.Results().At(n - 1).Type()
		answers = isError(last) || isBool(last)
	}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			loops = true
		case *ast.BinaryExpr:
			switch n.Op {
			case token.LSS, token.GTR, token.LEQ, token.GEQ:
				compares = true
			}
		case *ast.CallExpr:
			switch callee := calledFunc(p.pass.TypesInfo, n); {
			case callee == nil:
				if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && id.Name == "panic" {
					answers = true
				}
			case callee.Pkg() != nil && callee.Pkg().Path() == "slices":
				loops = true
			case p.known(callee):
				loops, compares = true, true
			}
		}
		return true
	})
	return answers && compares && (list && loops || single && !list && p.named(sig))
}

// known reports whether a callee is a guard of another package, or may be one
// of this.
func (p *Package) known(fn *types.Func) bool {
	if _, ok := p.sites.Guard(fn); ok {
		return true
	}
	if fn.Pkg() == p.pass.Pkg {
		return checksByShape(fn.Signature())
	}
	var fact Fact
	return p.pass.ImportObjectFact(fn.Origin(), &fact)
}

// checksByShape reports whether a function takes ids and says whether they are
// right.
func checksByShape(sig *types.Signature) bool {
	n := sig.Results().Len()
	if n == 0 {
		return false
	}
	if last := sig.Results().At(n - 1).Type(); !isError(last) && !isBool(last) {
		return false
	}
	for i := range sig.Params().Len() {
		if sites.IsIDList(sig.Params().At(i).Type()) {
			return true
		}
	}
	return false
}

// named reports whether a single integer is named as an id: any other number
// may be held against a bound for reasons of its own.
func (p *Package) named(sig *types.Signature) bool {
	for i := range sig.Params().Len() {
		low := strings.ToLower(sig.Params().At(i).Name())
		for _, word := range p.table.Words("id-words") {
			if low == word || strings.HasSuffix(low, word) {
				return true
			}
		}
	}
	return false
}

func calledFunc(info *types.Info, call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch e := fun.(type) {
	case *ast.IndexExpr:
		fun = e.X
	case *ast.IndexListExpr:
		fun = e.X
	}
	var id *ast.Ident
	switch e := fun.(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	default:
		return nil
	}
	fn, _ := info.Uses[id].(*types.Func)
	return fn
}
