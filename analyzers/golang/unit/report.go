package unit

import (
	"encoding/json"
	"go/ast"
	"go/token"
	"os"

	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/site"
)

// Finding is what a rule says of a place of this package.
type Finding struct {
	Code     string // TV201
	Pos, End token.Pos
	Message  string // lower case, no full stop: the value and the consequence
	Related  []analysis.RelatedInformation
	Fixes    []analysis.SuggestedFix // the safe ones first
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

// Wire is the message of a diagnostic between a unit and trainvet vet: one of
// its fields is set.
type Wire struct {
	Finding *WireFinding `json:"finding,omitempty"`
	Site    *site.Site   `json:"site,omitempty"`
	Ignore  *site.Ignore `json:"ignore,omitempty"`
	Unit    *site.Unit   `json:"unit,omitempty"`
}

// WireFinding is the part of a finding that a diagnostic has no field for.
type WireFinding struct {
	Message string     `json:"message"`
	Site    string     `json:"site,omitempty"`
	Shape   site.Shape `json:"shape,omitempty"`
}

// wireVariable is set by trainvet vet for the units that it starts.
const wireVariable = "TRAINVET_UNITS"

// Wired reports whether trainvet vet reads what this process prints.
func Wired() bool { return os.Getenv(wireVariable) == "1" }

// WireEnvironment is what trainvet vet adds to the environment of its units.
func WireEnvironment() string { return wireVariable + "=1" }

// Report is the only way by which a rule reports.
func (p *Package) Report(pass *analysis.Pass, f Finding) {
	d := analysis.Diagnostic{Pos: f.Pos, End: f.End, Category: f.Code, Message: f.Message, Related: f.Related, SuggestedFixes: f.Fixes}
	switch {
	case p.wire:
		w := WireFinding{Message: f.Message}
		if f.Handler != nil {
			w.Site, w.Shape = f.Handler.ID.String(), f.Handler.Shape
		}
		d.Message = encode(Wire{Finding: &w})
	case p.exempt(f):
		return
	}
	pass.Report(d)
}

// Emit hands a site, an ignore or a unit to trainvet vet; nothing happens
// where nobody reads it.
func (p *Package) Emit(pass *analysis.Pass, pos token.Pos, w Wire) {
	if p.wire {
		pass.Report(analysis.Diagnostic{Pos: pos, Category: "wire", Message: encode(w)})
	}
}

func encode(w Wire) string {
	text, err := json.Marshal(w)
	if err != nil {
		panic(err) // strings, numbers and structs of them
	}
	return string(text)
}
