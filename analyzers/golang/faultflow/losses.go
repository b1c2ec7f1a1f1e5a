package faultflow

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// Kind of a loss.
type Kind int

// The kinds, each a rule's.
const (
	Dropped  Kind = iota // TV201
	ByText               // TV202
	TypeLost             // TV209
)

// Loss is a place where a fault is lost.
type Loss struct {
	Kind  Kind
	Node  ast.Node      // what to mark: the handler, the call, the comparison
	Label string        // of the ledger row: if(err), go, fmt.Errorf
	Call  *ast.CallExpr // where the error comes from
	Fault *MayFault
	How   string    // what happens to it, "the loop goes on"
	End   token.Pos // where the path ends; NoPos: at the end of the function
	Hops  []Hop     // functions between the call and the guard, as far as their place is known
	Fn    ast.Node  // the FuncDecl or FuncLit around it
}

// Hop is a function on the way of a fault.
type Hop struct {
	Name string
	At   token.Pos
}

// hops places the functions that a fault comes through: those of this package,
// and the one that is called.
func (e *engine) hops(call *ast.CallExpr, f *MayFault) []Hop {
	at := map[string]token.Pos{}
	if fn, ok := typeutil.Callee(e.pass.TypesInfo, call).(*types.Func); ok {
		at[guardName(fn)] = fn.Pos()
	}
	for fn := range e.byFunc {
		at[guardName(fn)] = fn.Pos()
	}
	var out []Hop
	for _, name := range f.Via {
		if pos := at[name]; pos.IsValid() {
			out = append(out, Hop{name, pos})
		}
	}
	slices.Reverse(out)
	return out
}

// findLosses walks from every call that may return a fault.
func (e *engine) findLosses() []Loss {
	var out []Loss
	for _, fn := range e.funcs {
		if strings.HasSuffix(e.pass.Fset.PositionFor(fn.Pos(), false).Filename, "_test.go") {
			continue
		}
		for _, b := range fn.Blocks {
			for i, instr := range b.Instrs {
				c, ok := instr.(ssa.CallInstruction)
				if !ok {
					continue
				}
				if f := e.ofCall(c.Common()); f != nil {
					out = append(out, e.lossesOf(fn, c, i, f)...)
				}
			}
		}
	}
	return distinct(out)
}

func (e *engine) lossesOf(fn *ssa.Function, c ssa.CallInstruction, index int, f *MayFault) []Loss {
	call := e.calls[c.Common().Pos()]
	if call == nil {
		return nil
	}
	base := Loss{Call: call, Fault: f, Fn: fn.Syntax(), Node: call, Label: label(call), Hops: e.hops(call, f)}
	switch c := c.(type) {
	case *ssa.Go:
		return []Loss{base.as(Dropped, "nobody gets what a goroutine returns")}
	case *ssa.Defer:
		return []Loss{base.as(Dropped, "nobody gets what a deferred call returns")}
	case *ssa.Call:
		if !e.read(c, f) {
			return []Loss{base.as(Dropped, "it is dropped")}
		}
		var out []Loss
		for _, end := range e.walk(fn, c, newPath(c.Block(), c), index+1) {
			out = append(out, e.lossesAt(base, fn, end)...)
		}
		return out
	}
	return nil
}

// read reports whether every error result is looked at.
func (e *engine) read(c *ssa.Call, f *MayFault) bool {
	if c.Call.Signature().Results().Len() == 1 {
		return len(*c.Referrers()) > 0
	}
	got := map[int]bool{}
	for _, ref := range *c.Referrers() {
		if ex, ok := ref.(*ssa.Extract); ok && len(*ex.Referrers()) > 0 {
			got[ex.Index] = true
		}
		if _, ok := ref.(*ssa.Return); ok {
			return true
		}
	}
	for _, i := range f.Results {
		if !got[i] {
			return false
		}
	}
	return true
}

func (l Loss) as(k Kind, how string) Loss {
	l.Kind, l.How = k, how
	return l
}

func (e *engine) lossesAt(base Loss, fn *ssa.Function, end end) []Loss {
	var out []Loss
	switch end.outcome {
	case kept, returned:
		return nil
	case flattened, replaced:
		l := base.as(TypeLost, "the new error holds its text alone")
		if end.outcome == replaced {
			l.How = "another error takes its place"
		}
		l.Node, l.Label = e.nodeAt(end.at, base.Call)
		out = append(out, l)
	case silent, overwritten:
		l := base.as(Dropped, e.how(fn, end))
		if end.path.handler != nil {
			l.Node, l.Label = e.nodeAt(end.path.handler, base.Call)
		}
		l.End = end.at.Pos()
		if end.outcome == overwritten {
			l.End = continues(l.Node)
		}
		out = append(out, l)
	}
	if end.path.text != nil {
		l := base.as(ByText, "the text decides what becomes of it")
		l.Node, l.Label = e.nodeAt(end.path.text, base.Call)
		out = append(out, l)
	}
	return out
}

// continues is where a handler goes on with the loop; NoPos: it runs out.
func continues(handler ast.Node) token.Pos {
	stmt, ok := handler.(*ast.IfStmt)
	if !ok {
		return token.NoPos
	}
	at := token.NoPos
	ast.Inspect(stmt.Body, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.CONTINUE && !at.IsValid() {
			at = b.Pos()
		}
		return true
	})
	return at
}

// how says in words what happens instead.
func (e *engine) how(fn *ssa.Function, end end) string {
	switch {
	case end.path.handler == nil && end.outcome == overwritten:
		return "it is overwritten before anybody reads it"
	case end.path.looped || end.outcome == overwritten:
		return "the loop goes on and the item counts as one failure"
	case startedByGo(fn):
		return "the goroutine ends and nobody hears of it"
	case len(errorResults(fn.Signature)) > 0:
		return "the function returns without it"
	case fn.Name() == "main" && fn.Parent() == nil:
		return "the program exits with 0"
	}
	return "the function goes on as if nothing had happened"
}

func startedByGo(fn *ssa.Function) bool {
	refs := []ssa.Instruction{}
	if fn.Parent() == nil {
		return false
	}
	for _, b := range fn.Parent().Blocks {
		refs = append(refs, b.Instrs...)
	}
	return slices.ContainsFunc(refs, func(i ssa.Instruction) bool {
		g, ok := i.(*ssa.Go)
		return ok && g.Call.StaticCallee() == fn
	})
}

// nodeAt finds the source of an instruction: a call, the statement whose
// condition it is, a return.
func (e *engine) nodeAt(at ssa.Instruction, fallback *ast.CallExpr) (ast.Node, string) {
	pos := at.Pos()
	if test, ok := at.(*ssa.If); ok {
		if cond, ok := test.Cond.(ssa.Instruction); ok {
			pos = cond.Pos()
		}
	}
	if call := e.calls[pos]; call != nil {
		if _, ok := at.(*ssa.If); !ok {
			return call, label(call)
		}
	}
	if !pos.IsValid() {
		return fallback, label(fallback)
	}
	for _, n := range e.around(pos) {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if _, ok := at.(*ssa.If); !ok {
				return n, "text"
			}
		case *ast.IfStmt:
			return n, "if(" + operand(n.Cond) + ")"
		case *ast.CaseClause:
			return n, "case"
		case *ast.ForStmt:
			return n, "for"
		case *ast.ReturnStmt:
			return n, "return"
		case *ast.BlockStmt:
			return fallback, label(fallback)
		}
	}
	return fallback, label(fallback)
}

// around lists the nodes around a position, innermost first.
func (e *engine) around(pos token.Pos) []ast.Node {
	for _, f := range e.pass.Files {
		if f.FileStart <= pos && pos < f.FileEnd {
			path, _ := astutil.PathEnclosingInterval(f, pos, pos)
			return path
		}
	}
	return nil
}

// operand names the error that a condition tests.
func operand(cond ast.Expr) string {
	switch c := cond.(type) {
	case *ast.BinaryExpr:
		if c.Op == token.LAND || c.Op == token.LOR {
			return operand(c.X)
		}
		return operand(c.X)
	case *ast.ParenExpr:
		return operand(c.X)
	case *ast.UnaryExpr:
		return operand(c.X)
	case *ast.Ident:
		return c.Name
	case *ast.SelectorExpr:
		return operand(c.X) + "." + c.Sel.Name
	case *ast.CallExpr:
		return operand(c.Fun)
	}
	return "?"
}

func label(call *ast.CallExpr) string { return operand(call) }

// distinct keeps one loss a kind and place, the first, in the order of the source.
func distinct(list []Loss) []Loss {
	slices.SortStableFunc(list, func(a, b Loss) int {
		return cmp.Or(cmp.Compare(a.Node.Pos(), b.Node.Pos()), cmp.Compare(a.Kind, b.Kind))
	})
	return slices.CompactFunc(list, func(a, b Loss) bool {
		return a.Node == b.Node && a.Kind == b.Kind
	})
}
