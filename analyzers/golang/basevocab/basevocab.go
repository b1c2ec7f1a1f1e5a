// Package basevocab is TV102: a guard's bound is the size of the base
// vocabulary, without the tokens that were added to it, or is 0.
//
// It looks at calls of size functions which the catalogue knows to answer so,
// and follows the number: into a comparison one arm of which gives up, into a
// function of this package that checks, and into any function of a package that
// declares a guard, as the one that makes a vocabulary of a size. A number that
// bounds a loop or an allocation bounds no ids. Where ids are decoded it also
// looks at the calls of functions that check, for a bound that is written as 0.
package basevocab

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/golang/checks"
	"github.com/trainvet/trainvet/analyzers/golang/flow"
	"github.com/trainvet/trainvet/analyzers/golang/guarded"
	"github.com/trainvet/trainvet/analyzers/golang/sites"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
	"github.com/trainvet/trainvet/analyzers/site"
)

// Analyzer is the rule.
var Analyzer = &analysis.Analyzer{
	Name: "basevocab",
	Doc:  "TV102: a guard's bound is the base vocabulary, or 0",
	Run:  run,
	// After guarded: checks answers one analyzer at a time.
	Requires: []*analysis.Analyzer{guarded.Analyzer, checks.Analyzer, sites.Analyzer, flow.Analyzer, unit.Analyzer},
}

type rule struct {
	pass   *analysis.Pass
	checks *checks.Package
	guards map[*types.Package]bool // packages that declare a guard
}

func run(pass *analysis.Pass) (any, error) {
	if flow.Standard(pass) {
		return nil, nil
	}
	listed := slices.ContainsFunc(pass.Pkg.Imports(), catalog.Golang().Lists)
	decodes := slices.ContainsFunc(pass.ResultOf[sites.Analyzer].(*sites.Result).List, func(s *sites.Site) bool { return s.Kind == site.Decode })
	if !listed && !decodes {
		return nil, nil // nearly every package
	}
	u := pass.ResultOf[unit.Analyzer].(*unit.Package)
	r := rule{pass: pass, checks: pass.ResultOf[checks.Analyzer].(*checks.Package), guards: pass.ResultOf[sites.Analyzer].(*sites.Result).GuardPackages()}
	sizes := r.sizes()
	if len(sizes) == 0 && !decodes {
		return nil, nil
	}
	for _, fn := range pass.ResultOf[flow.Analyzer].(*flow.Program).Funcs() {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(*ssa.Call)
				if !ok {
					continue
				}
				if r.refuses(call) && !u.Test(call.Pos()) {
					u.Report(pass, unit.Finding{Code: "TV102", Pos: call.Pos(), Message: "the bound is 0: a guard with this bound refuses every healthy id"})
				}
				e := sizes[checks.Callee(call.Common())]
				if e == nil || !lies(e, call) || u.Test(call.Pos()) {
					continue
				}
				if end, ok := r.bounds(fn, call, map[ssa.Value]bool{}); ok {
					u.Report(pass, unit.Finding{
						Code: "TV102", Pos: call.Pos(), Message: message(e),
						Related: []analysis.RelatedInformation{{Pos: end, Message: "the bound is used here"}},
					})
				}
			}
		}
	}
	return nil, nil
}

// refuses reports whether a call checks ids against 0.
func (r *rule) refuses(call *ssa.Call) bool {
	sum := r.checks.Summary(call.Common())
	if !sum.Refuses(call.Common()) {
		return false
	}
	for i, arg := range checks.Args(call.Common()) {
		if sum.Guards(i) && (sites.IsIDList(arg.Type()) || sites.IsID(arg.Type())) {
			return true
		}
	}
	return false
}

func message(e *catalog.Entry) string {
	if e.Bound == "zero" {
		return fmt.Sprintf("%s answers 0: a guard with this bound refuses every healthy id", e.Name)
	}
	return fmt.Sprintf("%s does not count the tokens that were added to the vocabulary: a guard with this bound refuses healthy ids", e.Name)
}

// sizes finds the size functions that this package calls and that do not say
// the whole size.
func (r *rule) sizes() map[*types.Func]*catalog.Entry {
	out := map[*types.Func]*catalog.Entry{}
	for _, obj := range r.pass.TypesInfo.Uses {
		fn, ok := obj.(*types.Func)
		if !ok {
			continue
		}
		if e := catalog.Golang().Find(fn); e != nil && e.Kind == catalog.Bound {
			switch e.Bound {
			case "base", "zero", "base-unless-true":
				out[fn.Origin()] = e
			}
		}
	}
	return out
}

// lies reports whether this call gives the smaller number.
func lies(e *catalog.Entry, call *ssa.Call) bool {
	if e.Bound != "base-unless-true" {
		return true
	}
	args := call.Common().Args
	c, ok := args[len(args)-1].(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Bool && !constant.BoolVal(c.Value)
}

// bounds reports whether a number bounds ids, and where.
func (r *rule) bounds(fn *ssa.Function, v ssa.Value, seen map[ssa.Value]bool) (token.Pos, bool) {
	if seen[v] || v.Referrers() == nil {
		return 0, false
	}
	seen[v] = true
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Convert:
			if pos, ok := r.bounds(fn, ref, seen); ok {
				return pos, true
			}
		case *ssa.Phi:
			if pos, ok := r.bounds(fn, ref, seen); ok {
				return pos, true
			}
		case *ssa.BinOp:
			if r.compares(fn, ref, v) {
				return ref.Pos(), true
			}
		case *ssa.Call:
			if r.guard(ref, v) {
				return ref.Pos(), true
			}
		}
	}
	return 0, false
}

// compares reports whether a number is held against the bound, and something
// gives up when it is too large. The counter of a loop is no id.
func (r *rule) compares(fn *ssa.Function, op *ssa.BinOp, v ssa.Value) bool {
	other := op.X
	if other == v {
		other = op.Y
	}
	if _, isConst := other.(*ssa.Const); isConst || checks.Counter(other) {
		return false
	}
	switch op.Op {
	case token.LSS, token.GTR, token.LEQ, token.GEQ:
	default:
		return false
	}
	f := r.checks.Analyze(fn)
	for _, ref := range *op.Referrers() {
		switch ref := ref.(type) {
		case *ssa.If:
			if f.Gives(ref) {
				return true
			}
		case *ssa.Return:
			return true // a predicate
		}
	}
	return false
}

// guard reports whether a call takes the number for a bound of ids.
func (r *rule) guard(call *ssa.Call, v ssa.Value) bool {
	fn := checks.Callee(call.Common())
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	if r.guards[fn.Pkg()] && fn.Pkg() != r.pass.Pkg {
		return true
	}
	sum := r.checks.Summary(call.Common())
	for i, arg := range checks.Args(call.Common()) {
		if arg != v && sum.Guards(i) {
			return true
		}
	}
	return false
}
