package unit

import (
	"encoding/json"
	"go/token"
	"os"
	"path/filepath"

	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/site"
)

// Wire is the message of a diagnostic between a unit and trainvet vet: one of
// its fields is set. Files in it have their full names, since the go command
// keeps a unit's output for longer than a ledger stays where it is.
type Wire struct {
	Finding *site.Finding `json:"finding,omitempty"`
	Site    *site.Site    `json:"site,omitempty"`
	Ignore  *site.Ignore  `json:"ignore,omitempty"`
	Unit    *site.Unit    `json:"unit,omitempty"`
	// Excluded are the package's files that its build constraints leave out.
	Excluded []string `json:"excluded,omitempty"`
}

// wireVariable is set by trainvet vet for the units that it starts.
const wireVariable = "TRAINVET_UNITS"

// Wired reports whether trainvet vet reads what this process prints.
func Wired() bool { return os.Getenv(wireVariable) == "1" }

// WireEnvironment is what trainvet vet adds to the environment of its units.
func WireEnvironment() string { return wireVariable + "=1" }

func (p *Package) send(pass *analysis.Pass, pos token.Pos, category string, w Wire) {
	text, err := json.Marshal(w)
	if err != nil {
		panic(err) // strings, numbers and structs of them
	}
	pass.Report(analysis.Diagnostic{Pos: pos, Category: category, Message: string(text)})
}

// announce says that the package was analysed, and with which exemptions.
func (p *Package) announce(pass *analysis.Pass) {
	if !p.wire || len(pass.Files) == 0 {
		return
	}
	u := site.Unit{Name: pass.Pkg.Path()}
	for _, f := range pass.Files {
		name := p.position(f.Package).Filename
		if madeUp(name) {
			continue
		}
		u.Files = append(u.Files, filepath.ToSlash(name))
		if p.Generated(f.Package) {
			u.Generated = append(u.Generated, filepath.ToSlash(name))
		}
	}
	w := Wire{Unit: &u}
	for _, name := range pass.IgnoredFiles {
		if filepath.Ext(name) == ".go" {
			w.Excluded = append(w.Excluded, filepath.ToSlash(name))
		}
	}
	p.Emit(pass, pass.Files[0].Package, w)
	for i := range p.ignores {
		p.Emit(pass, pass.Files[0].Package, Wire{Ignore: &p.ignores[i]})
	}
}

func (p *Package) wireFinding(f Finding) *site.Finding {
	out := &site.Finding{Code: f.Code, Severity: f.Severity, Message: f.Message, At: p.Position(f.Pos), End: p.Position(f.End)}
	for _, r := range f.Related {
		out.Related = append(out.Related, site.Related{At: p.Position(r.Pos), Message: r.Message})
	}
	out.Fixes = append(p.wireFixes(f.Fixes, true), p.wireFixes(f.Drafts, false)...)
	if f.Handler != nil {
		out.Site, out.Shape = f.Handler.ID.String(), f.Handler.Shape
	}
	return out
}

func (p *Package) wireFixes(fixes []analysis.SuggestedFix, safe bool) []site.Fix {
	var out []site.Fix
	for _, fix := range p.editable(fixes) {
		w := site.Fix{Message: fix.Message, Safe: safe}
		for _, e := range fix.TextEdits {
			file := p.fset.File(e.Pos)
			end := e.End
			if !end.IsValid() {
				end = e.Pos
			}
			w.Edits = append(w.Edits, site.Edit{File: filepath.ToSlash(file.Name()), Start: file.Offset(e.Pos), End: file.Offset(end), New: string(e.NewText)})
		}
		out = append(out, w)
	}
	return out
}
