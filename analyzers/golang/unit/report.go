package unit

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/site"
)

// Finding is what a rule says of a place of this package.
type Finding struct {
	Code     string        // TV201
	Severity site.Severity // empty: that of the rule
	Pos, End token.Pos
	Message  string // lower case, no full stop: the value and the consequence
	Related  []analysis.RelatedInformation
	// Fixes are the ways to mend it, the best first. Those in Fixes keep what
	// the program means where nothing is wrong; what does not belongs in Drafts,
	// which are shown and never applied unasked.
	Fixes  []analysis.SuggestedFix
	Drafts []analysis.SuggestedFix
	// Handler is the place that a ledger row of kind catch may exempt: the
	// callee names it, the node gives its shape. Nil: inline exemption only.
	Handler *Handler
}

// Handler names a place where a fault can be swallowed.
type Handler struct {
	ID    site.ID // Path and Func of the place, Callee such as "if(err)" or "recover()"
	Shape site.Shape
	Node  ast.Node
}

// Report is the only way by which a rule reports.
func (p *Package) Report(pass *analysis.Pass, f Finding) {
	if p.wire {
		p.send(pass, f.Pos, f.Code, Wire{Finding: p.wireFinding(f)})
		return
	}
	if p.exempt(f) || f.Handler != nil && p.exemptByRow(f.Code, f.Handler) {
		return
	}
	pass.Report(analysis.Diagnostic{Pos: f.Pos, End: f.End, Category: f.Code, Message: f.Message, Related: f.Related, SuggestedFixes: p.editable(f.Fixes)})
}

// Emit hands a site, an ignore or a unit to trainvet vet; nothing happens
// where nobody reads it.
func (p *Package) Emit(pass *analysis.Pass, pos token.Pos, w Wire) {
	if p.wire {
		p.send(pass, pos, "wire", w)
	}
}

// editable keeps the fixes whose edits all lie in files that stand on disk as
// they were parsed: what cgo made of a file has other offsets.
func (p *Package) editable(fixes []analysis.SuggestedFix) []analysis.SuggestedFix {
	var out []analysis.SuggestedFix
	for _, fix := range fixes {
		ok := len(fix.TextEdits) > 0
		for _, e := range fix.TextEdits {
			ok = ok && !cgoOutput(p.fset.File(e.Pos))
		}
		if ok {
			out = append(out, fix)
		}
	}
	return out
}
