package sites

import (
	"go/ast"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/golang/flow"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
	"github.com/trainvet/trainvet/analyzers/site"
)

// Analyzer finds the sites of a package.
var Analyzer = &analysis.Analyzer{
	Name:       "trainvetsites",
	Doc:        "finds the calls at which token ids become text or an optimizer steps",
	Requires:   []*analysis.Analyzer{unit.Analyzer},
	Run:        run,
	FactTypes:  []analysis.Fact{new(Directive)},
	ResultType: reflect.TypeFor[*Result](),
}

// Site is a call that is a site.
type Site struct {
	Kind      site.Kind
	Call      ast.Node       // *ast.CallExpr; of a lookup *ast.IndexExpr; of an escape, the expression that is the callee
	Callee    *types.Func    // nil: a variable or field of function type
	Entry     *catalog.Entry // row of the catalogue; nil: none
	IDs       int            // index of the ids argument; -1: none
	Escapes   bool           // the callee is passed on as a value
	By        string         // "catalogue (pkg.Type).Decode", "signature", "lookup", "directive"
	Enclosing ast.Node       // innermost *ast.FuncDecl or *ast.FuncLit; nil: a package variable
	ID        site.ID
	Shape     site.Shape
	ByName    bool
}

// Result is what the analyzer found.
type Result struct {
	List []*Site // in the order of the source
	// Malformed are the directives that say nothing: a finding each, for a rule
	// to report, since nobody hears what an analyzer below the rules reports.
	Malformed []unit.Finding

	pass       *analysis.Pass
	table      *catalog.Go
	directives map[*types.Func]Directive // of this package and of what it imports
	at         map[*ast.CallExpr]*Site
}

// At returns the site of a call; nil: it is none.
func (r *Result) At(call *ast.CallExpr) *Site { return r.at[call] }

// Guard reports whether a directive makes fn a guard, and which argument
// holds the ids, counted from 0.
func (r *Result) Guard(fn *types.Func) (ids int, ok bool) {
	d, ok := r.directive(fn)
	if !ok || d.Guard < 0 {
		return 0, false
	}
	return d.Guard, true
}

func (r *Result) directive(fn *types.Func) (Directive, bool) {
	if fn == nil || len(r.directives) == 0 {
		return Directive{}, false
	}
	d, ok := r.directives[fn.Origin()]
	return d, ok
}

func run(pass *analysis.Pass) (any, error) {
	r := &Result{pass: pass, table: catalog.Golang(), directives: map[*types.Func]Directive{}, at: map[*ast.CallExpr]*Site{}}
	if flow.Standard(pass) {
		return r, nil
	}
	u := pass.ResultOf[unit.Analyzer].(*unit.Package)
	r.readDirectives()
	for _, f := range pass.Files {
		w := walker{visit: r.look, lookup: r.lookUp, called: map[*ast.Ident]bool{}, written: map[*ast.IndexExpr]bool{}}
		ast.Walk(&w, f)
	}
	number(r.List, func(s *Site) site.ID { return ID(pass, u, s.Call, s.Enclosing) })
	return r, nil
}

// Decodes reports whether a call of fn is a decode site.
func (r *Result) Decodes(fn *types.Func) bool {
	m, ok := r.match(fn)
	return ok && m.kind == site.Decode
}

// DecodeIDs returns which argument of fn holds the ids, when its calls are
// decode sites by themselves.
func (r *Result) DecodeIDs(fn *types.Func) (ids int, ok bool) {
	m, ok := r.match(fn)
	return m.ids, ok && m.kind == site.Decode
}

// Number gives sites their IDs and ordinals; the list is in the order of the source.
func Number(pass *analysis.Pass, u *unit.Package, list []*Site) {
	number(list, func(s *Site) site.ID { return ID(pass, u, s.Call, s.Enclosing) })
}

// Uses calls visit for every place where the package calls or names a function
// or method; generic ones by their origin.
func Uses(pass *analysis.Pass, visit func(fn *types.Func, node, enclosing ast.Node, escapes bool)) {
	for _, f := range pass.Files {
		w := walker{called: map[*ast.Ident]bool{}, visit: func(name *ast.Ident, node, enclosing ast.Node, escapes bool) {
			if fn, ok := pass.TypesInfo.Uses[name].(*types.Func); ok {
				visit(fn.Origin(), node, enclosing, escapes)
			}
		}}
		ast.Walk(&w, f)
	}
}

// GuardPackages are the packages in sight that declare a guard by directive.
func (r *Result) GuardPackages() map[*types.Package]bool {
	out := map[*types.Package]bool{}
	for fn, d := range r.directives {
		if d.Guard >= 0 {
			out[fn.Pkg()] = true
		}
	}
	return out
}
