package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"reflect"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"os"
)

// Analyzer makes the Program that the rules share.
var Analyzer = &analysis.Analyzer{
	Name:       "trainvetflow",
	Doc:        "builds the SSA form of a package when a trainvet rule asks for it",
	Run:        run,
	ResultType: reflect.TypeFor[*Program](),
}

// Program is a package in SSA form, built at the first question.
type Program struct {
	pass  *analysis.Pass
	build func() *form
}

// form is what one build yields.
type form struct {
	pkg   *ssa.Package
	funcs []*ssa.Function                   // with a body, in the order of the source, closures behind their parent
	calls map[token.Pos]ssa.CallInstruction // by the opening parenthesis
	reads map[token.Pos]*ssa.Lookup         // by the opening bracket
	nodes map[ast.Node]*ssa.Function        // by FuncDecl and FuncLit
	decls map[*types.Func]*ssa.Function     // of this package
}

func run(pass *analysis.Pass) (any, error) {
	p := &Program{pass: pass}
	p.build = sync.OnceValue(p.form)
	return p, nil
}

// Funcs returns the functions of the package that have a body, closures too.
func (p *Program) Funcs() []*ssa.Function { return p.build().funcs }

// Call finds the instruction of a call; nil: it is in code that is never reached.
func (p *Program) Call(call *ast.CallExpr) ssa.CallInstruction { return p.build().calls[call.Lparen] }

// Lookup finds the instruction that reads a map; nil: it is never reached.
func (p *Program) Lookup(n *ast.IndexExpr) *ssa.Lookup { return p.build().reads[n.Lbrack] }

// Func finds the function of a FuncDecl or FuncLit.
func (p *Program) Func(node ast.Node) *ssa.Function { return p.build().nodes[node] }

// Decl finds the body of a function that this package declares; nil: it has none.
func (p *Program) Decl(fn *types.Func) *ssa.Function {
	if fn == nil || fn.Pkg() != p.pass.Pkg {
		return nil
	}
	return p.build().decls[fn.Origin()]
}

func (p *Program) form() *form {
	prog := ssa.NewProgram(p.pass.Fset, ssa.BuilderMode(0))
	seen := map[*types.Package]bool{}
	var declare func([]*types.Package)
	declare = func(list []*types.Package) {
		for _, imported := range list {
			if !seen[imported] {
				seen[imported] = true
				prog.CreatePackage(imported, nil, nil, true)
				declare(imported.Imports())
			}
		}
	}
	declare(p.pass.Pkg.Imports())
	f := &form{
		pkg:   prog.CreatePackage(p.pass.Pkg, p.pass.Files, p.pass.TypesInfo, false),
		calls: map[token.Pos]ssa.CallInstruction{},
		reads: map[token.Pos]*ssa.Lookup{},
		nodes: map[ast.Node]*ssa.Function{},
		decls: map[*types.Func]*ssa.Function{},
	}
	f.pkg.Build()
	for _, file := range p.pass.Files {
		for _, d := range file.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			obj, ok := p.pass.TypesInfo.Defs[decl.Name].(*types.Func)
			if !ok {
				continue
			}
			if fn := prog.FuncValue(obj); fn != nil && fn.Blocks != nil {
				f.decls[obj] = fn
				f.add(fn)
			}
		}
	}
	if init := f.pkg.Func("init"); init != nil {
		f.add(init) // initializers of package variables
	}
	return f
}

func (f *form) add(fn *ssa.Function) {
	f.funcs = append(f.funcs, fn)
	if node := fn.Syntax(); node != nil {
		f.nodes[node] = fn
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(ssa.CallInstruction); ok && call.Common().Pos().IsValid() {
				f.calls[call.Common().Pos()] = call
			}
			if read, ok := in.(*ssa.Lookup); ok && read.Pos().IsValid() {
				f.reads[read.Pos()] = read
			}
		}
	}
	for _, anonymous := range fn.AnonFuncs {
		f.add(anonymous)
	}
}

// Standard reports whether the package is one of the standard library: it has
// no site, and nothing in it needs a look.
func Standard(pass *analysis.Pass) bool {
	path := pass.Pkg.Path()
	if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") || len(pass.Files) == 0 {
		return false
	}
	dir := filepath.ToSlash(filepath.Dir(pass.Fset.Position(pass.Files[0].FileStart).Filename))
	root, ok := strings.CutSuffix(dir, "/src/"+path)
	if !ok {
		return false
	}
	_, err := os.Stat(filepath.Join(root, "src", "internal", "goarch", "goarch.go"))
	return err == nil
}
