package child

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/trainvet/trainvet/analyzers/golang/unit"
)

// Analyzer finds the commands of a package.
var Analyzer = &analysis.Analyzer{
	Name:       "trainvetchild",
	Doc:        "finds the child processes that a package starts",
	Run:        run,
	Requires:   []*analysis.Analyzer{unit.Analyzer},
	ResultType: reflect.TypeFor[*Result](),
}

// Result has the commands, in the order of the source. Those of test files are
// not among them.
type Result struct{ Commands []*Command }

// Command is one exec.Command or exec.CommandContext.
type Command struct {
	Call    *ast.CallExpr
	Context bool     // made by CommandContext
	Argv    []string // what is known of it
	Trainer string   // the word by which it starts a trainer; empty: it starts none
	Opaque  bool     // not even its program is known
	Decl    *ast.FuncDecl
	Var     types.Object          // the variable that holds it; nil: it is used on the spot
	Sets    map[string][]ast.Expr // what its fields are set to
	Uses    []Use                 // calls of its methods, in order
	Escapes bool

	reader *reader
	block  ast.Node // the block that the assignment of Var stands in
}

// Use is a call of a method of a command.
type Use struct {
	Method string
	Call   *ast.CallExpr
	Path   []ast.Node // the nodes around the call, outermost first
}

func run(pass *analysis.Pass) (any, error) {
	r := &Result{}
	if !imports(pass.Pkg, "os/exec") {
		return r, nil // fast path
	}
	u := pass.ResultOf[unit.Analyzer].(*unit.Package)
	t := readTrainers()
	for _, f := range pass.Files {
		if u.Test(f.Package) {
			continue
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				r.Commands = append(r.Commands, commandsOf(pass, t, d)...)
			}
		}
	}
	return r, nil
}

func imports(pkg *types.Package, path string) bool {
	for _, p := range pkg.Imports() {
		if p.Path() == path {
			return true
		}
	}
	return false
}

// commandsOf finds the commands that one declared function makes.
func commandsOf(pass *analysis.Pass, t *trainers, d *ast.FuncDecl) []*Command {
	var out []*Command
	var rd *reader
	Walk(d.Body, func(n ast.Node, path []ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		fn, ok := typeutil.Callee(pass.TypesInfo, call).(*types.Func)
		if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "os/exec" {
			return
		}
		args := call.Args
		switch fn.Name() {
		case "Command":
		case "CommandContext":
			args = args[min(1, len(args)):]
		default:
			return
		}
		if rd == nil {
			rd = newReader(pass.TypesInfo, d.Body)
		}
		c := &Command{Call: call, Context: fn.Name() == "CommandContext", Decl: d, Sets: map[string][]ast.Expr{}, reader: rd}
		c.Argv = rd.words(args, call.Ellipsis.IsValid())
		c.Trainer = t.starts(c.Argv)
		c.Opaque = len(c.Argv) == 0 || c.Argv[0] == hole
		c.hold(pass.TypesInfo, path)
		out = append(out, c)
	})
	for _, c := range out {
		if c.Var != nil {
			c.follow(pass.TypesInfo, out)
		}
	}
	return out
}

// hold finds what becomes of the value of the call.
func (c *Command) hold(info *types.Info, path []ast.Node) {
	switch parent := path[len(path)-1].(type) {
	case *ast.SelectorExpr: // exec.Command(...).Run()
		if len(path) > 1 {
			if call, ok := path[len(path)-2].(*ast.CallExpr); ok && call.Fun == parent {
				c.Uses = append(c.Uses, Use{parent.Sel.Name, call, slices.Clone(path[:len(path)-2])})
				return
			}
		}
	case *ast.AssignStmt:
		for i, rhs := range parent.Rhs {
			if rhs != c.Call || len(parent.Lhs) != len(parent.Rhs) {
				continue
			}
			if id, ok := parent.Lhs[i].(*ast.Ident); ok {
				c.Var = info.ObjectOf(id)
			}
		}
	case *ast.ValueSpec:
		for i, v := range parent.Values {
			if v == c.Call && i < len(parent.Names) {
				c.Var = info.ObjectOf(parent.Names[i])
			}
		}
	}
	for i := len(path) - 1; i >= 0 && c.block == nil; i-- {
		switch path[i].(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			c.block = path[i]
		}
	}
	if c.Var == nil || c.Var.Parent() == c.Var.Pkg().Scope() || !c.reader.holdsCommands(c.Var) {
		c.Var, c.Escapes = nil, true
	}
}

// holdsCommands reports whether a variable is set to nothing but commands that
// are made on the spot.
func (r *reader) holdsCommands(v types.Object) bool {
	for _, value := range r.inits[v] {
		call, ok := value.(*ast.CallExpr)
		if !ok {
			return false
		}
		if fn, ok := typeutil.Callee(r.info, call).(*types.Func); !ok || fn.Pkg() == nil || fn.Pkg().Path() != "os/exec" {
			return false
		}
	}
	return true
}

// mine reports whether the variable still holds this command at a place:
// another one was put there in between on the same path or one around it.
func (c *Command) mine(at token.Pos, all []*Command) bool {
	if at < c.Call.Pos() {
		return false
	}
	for _, o := range all {
		if o != c && o.Var == c.Var && c.Call.Pos() < o.Call.Pos() && o.Call.End() <= at &&
			o.block != nil && o.block.Pos() <= c.Call.Pos() && c.Call.Pos() < o.block.End() {
			return false
		}
	}
	return true
}

// follow looks at each use of the variable while it holds the command.
func (c *Command) follow(info *types.Info, all []*Command) {
	Walk(c.Decl.Body, func(n ast.Node, path []ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok || info.Uses[id] != c.Var || !c.mine(id.Pos(), all) {
			return
		}
		sel, ok := path[len(path)-1].(*ast.SelectorExpr)
		if !ok || len(path) < 2 {
			c.Escapes = c.Escapes || !assigned(path, id)
			return
		}
		switch outer := path[len(path)-2].(type) {
		case *ast.CallExpr:
			if outer.Fun == sel {
				c.Uses = append(c.Uses, Use{sel.Sel.Name, outer, slices.Clone(path[:len(path)-2])})
			}
		case *ast.AssignStmt:
			c.set(info, outer, sel)
		}
	})
}

// set notes what a field is set to; nil says what it was.
func (c *Command) set(info *types.Info, a *ast.AssignStmt, field *ast.SelectorExpr) {
	for i, lhs := range a.Lhs {
		if lhs != ast.Expr(field) {
			continue
		}
		value := a.Rhs[0]
		if len(a.Lhs) == len(a.Rhs) {
			value = a.Rhs[i]
		}
		if !info.Types[value].IsNil() {
			c.Sets[field.Sel.Name] = append(c.Sets[field.Sel.Name], value)
		}
	}
}

// assigned reports whether an identifier is the left side of an assignment.
func assigned(path []ast.Node, id *ast.Ident) bool {
	a, ok := path[len(path)-1].(*ast.AssignStmt)
	if !ok {
		return false
	}
	for _, lhs := range a.Lhs {
		if lhs == ast.Expr(id) {
			return true
		}
	}
	return false
}

// Called returns the uses of the methods with these names.
func (c *Command) Called(methods ...string) []Use {
	var out []Use
	for _, u := range c.Uses {
		for _, m := range methods {
			if u.Method == m {
				out = append(out, u)
			}
		}
	}
	return out
}

// Walk visits the nodes of a tree with the nodes around each, outermost first;
// that list is the walk's own.
func Walk(root ast.Node, visit func(n ast.Node, path []ast.Node)) {
	var path []ast.Node
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		if len(path) > 0 {
			visit(n, path)
		}
		path = append(path, n)
		return true
	})
}
