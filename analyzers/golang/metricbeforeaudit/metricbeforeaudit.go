// Package metricbeforeaudit is TV710: a program that can audit a run takes a
// metric out of the run's files without having done so. The file holds a
// number whether or not the machine failed while it was computed.
//
// Only programs that import logscan are looked at: others cannot know. An
// audit counts when it is asked earlier in the function that reads the file,
// or in each function of the package that calls it; a reader that other
// packages can call is theirs to call in the right order.
package metricbeforeaudit

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/trainvet/trainvet/analyzers/golang/unit"
)

// Analyzer is the rule.
var Analyzer = &analysis.Analyzer{
	Name:     "metricbeforeaudit",
	Doc:      "TV710: a metric is read before the run is audited",
	Run:      run,
	Requires: []*analysis.Analyzer{unit.Analyzer},
}

const logscanPath = "github.com/trainvet/trainvet/logscan"

//go:embed files.txt
var fileText string

// rule is one run.
type rule struct {
	pass  *analysis.Pass
	unit  *unit.Package
	files map[string]bool
	funcs []*function
	by    map[types.Object]*function
}

// function is a declared function, as far as it matters here.
type function struct {
	obj    types.Object
	audit  token.Pos // of the first call of logscan; NoPos: none
	file   token.Pos // of the name of a metrics file
	name   string
	parses bool
	calls  map[types.Object]token.Pos // the first call of each function of the package
}

func run(pass *analysis.Pass) (any, error) {
	if !imported(pass.Pkg) || strings.HasPrefix(pass.Pkg.Path(), logscanPath) {
		return nil, nil // fast path
	}
	r := &rule{pass: pass, unit: pass.ResultOf[unit.Analyzer].(*unit.Package), files: map[string]bool{}, by: map[types.Object]*function{}}
	for line := range strings.Lines(fileText) {
		if name := strings.TrimSpace(line); name != "" && name[0] != '#' {
			r.files[name] = true
		}
	}
	for _, f := range pass.Files {
		if r.unit.Test(f.Package) {
			continue
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				r.read(d)
			}
		}
	}
	for _, fn := range r.funcs {
		r.judge(fn)
	}
	return nil, nil
}

func imported(pkg *types.Package) bool {
	for _, p := range pkg.Imports() {
		if p.Path() == logscanPath {
			return true
		}
	}
	return false
}

func (r *rule) read(d *ast.FuncDecl) {
	fn := &function{obj: r.pass.TypesInfo.Defs[d.Name], calls: map[types.Object]token.Pos{}}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			r.call(fn, n)
		case *ast.BasicLit, *ast.Ident:
			tv := r.pass.TypesInfo.Types[n.(ast.Expr)]
			if tv.Value == nil || tv.Value.Kind() != constant.String || fn.file.IsValid() {
				return true
			}
			if name := path.Base(constant.StringVal(tv.Value)); r.files[name] {
				fn.file, fn.name = n.Pos(), name
			}
		}
		return true
	})
	r.funcs = append(r.funcs, fn)
	r.by[fn.obj] = fn
}

func (r *rule) call(fn *function, call *ast.CallExpr) {
	callee, ok := typeutil.Callee(r.pass.TypesInfo, call).(*types.Func)
	if !ok || callee.Pkg() == nil {
		return
	}
	switch {
	case callee.Pkg().Path() == logscanPath:
		if !fn.audit.IsValid() {
			fn.audit = call.Pos()
		}
	case callee.Pkg().Path() == "encoding/json" && (callee.Name() == "Unmarshal" || callee.Name() == "Decode"):
		fn.parses = true
	case callee.Pkg() == r.pass.Pkg:
		if _, seen := fn.calls[callee]; !seen {
			fn.calls[callee] = call.Pos()
		}
	}
}

func (r *rule) judge(fn *function) {
	if !fn.file.IsValid() || !fn.parses || r.audited(fn, fn.file, map[*function]bool{}) {
		return
	}
	r.unit.Report(r.pass, unit.Finding{
		Code: "TV710", Pos: fn.file,
		Message: fmt.Sprintf("the metrics of %s are taken before the run is audited: the file holds a number whether or not the machine failed while it was computed", fn.name),
	})
}

// audited reports whether an audit was asked before a place: in the function
// itself, or before each call of it.
func (r *rule) audited(fn *function, at token.Pos, open map[*function]bool) bool {
	if fn.audit.IsValid() && fn.audit < at || open[fn] {
		return true
	}
	open[fn] = true
	defer delete(open, fn)
	called := false
	for _, caller := range r.funcs {
		pos, calls := caller.calls[fn.obj]
		if !calls {
			continue
		}
		called = true
		// A caller that audits right behind has the verdict before it
		// publishes, as long as it is the one that returns to somebody.
		if !r.audited(caller, pos, open) && !caller.audit.IsValid() {
			return false
		}
	}
	return called || fn.obj.Exported()
}
