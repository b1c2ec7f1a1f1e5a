package ledgergate

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/golang/guarded"
	"github.com/trainvet/trainvet/analyzers/golang/sites"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
	"github.com/trainvet/trainvet/analyzers/ledger"
	"github.com/trainvet/trainvet/analyzers/rules"
	"github.com/trainvet/trainvet/analyzers/site"
)

// Analyzer holds the sites of a package against the ledger.
var Analyzer = &analysis.Analyzer{
	Name:     "ledgergate",
	Doc:      "TV101, TV305, TV9xx: a decode or step site that the guard ledger does not let pass",
	Requires: []*analysis.Analyzer{unit.Analyzer, sites.Analyzer, guarded.Analyzer},
	Run:      run,
}

func run(pass *analysis.Pass) (any, error) {
	u := pass.ResultOf[unit.Analyzer].(*unit.Package)
	found := pass.ResultOf[guarded.Analyzer].(*guarded.Result)
	for _, f := range pass.ResultOf[sites.Analyzer].(*sites.Result).Malformed {
		u.Report(pass, f)
	}
	g := gate{pass: pass, unit: u, at: map[string]token.Pos{}}
	for _, s := range found.List {
		list := g.site(s, found.States[s])
		list.Through = found.Through[s]
		u.Emit(pass, s.Call.Pos(), unit.Wire{Site: &list})
		g.add(s, list, found.States[s])
	}
	for _, s := range found.Passed {
		list := g.site(s, found.States[s])
		list.Through, list.Passes = found.Through[s], found.Moved[s].Origin().FullName()
		u.Emit(pass, s.Call.Pos(), unit.Wire{Site: &list})
	}
	if unit.Wired() || len(pass.Files) == 0 {
		return nil, nil
	}
	return nil, g.judge()
}

// gate is one package on its way to the ledger.
type gate struct {
	pass *analysis.Pass
	unit *unit.Package
	scan site.Scan
	at   map[string]token.Pos // by file and line
}

func (g *gate) site(s *sites.Site, st guarded.State) site.Site {
	return site.Site{
		Kind: s.Kind, ID: s.ID, Shape: s.Shape, State: st.State,
		At: g.unit.Position(s.Call.Pos()), End: g.unit.Position(s.Call.End()),
		Origin: st.Origin, By: s.By, Why: st.Why, Guard: st.Guard, Handlers: st.Handlers,
		Escapes: s.Escapes, Test: g.unit.Test(s.Call.Pos()), ByName: s.ByName,
	}
}

func (g *gate) add(s *sites.Site, list site.Site, st guarded.State) {
	g.scan.Sites = append(g.scan.Sites, list)
	g.at[place(list.At)] = s.Call.Pos()
	if st.Missed != nil { // its own rule reports it; the ledger must not say it again
		g.scan.Findings = append(g.scan.Findings, site.Finding{Code: st.Missed.Code, At: list.At, Site: s.ID.String(), Shape: s.Shape})
	}
}

func place(p site.Position) string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// judge holds the package against the ledger above it; without one there is
// nothing to say.
func (g *gate) judge() error {
	name := filepath.Join(g.unit.Root, unit.LedgerName)
	text, err := os.ReadFile(name)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading the guard ledger: %w", err)
	}
	l, err := ledger.Parse(name, text)
	if err != nil {
		return fmt.Errorf("reading the guard ledger: %w", err)
	}
	g.scan.Root, g.scan.Partial = g.unit.Root, "one package of the tree"
	g.scan.Ignores = g.unit.Ignores()
	u := site.Unit{Name: g.pass.Pkg.Path()}
	for _, f := range g.pass.Files {
		u.Files = append(u.Files, g.unit.Position(f.Package).File)
	}
	g.scan.Units = []site.Unit{u}
	j := ledger.Judge(&l, &g.scan, ledger.Options{Now: time.Now(), File: unit.LedgerName, Ran: func(code, _ string) bool { return gates(code) }})
	for _, f := range j.Findings {
		if ours(f.Code) && f.Severity != site.Info {
			g.report(f)
		}
	}
	return nil
}

// gates reports whether the ledger alone makes the findings of a rule: the
// unused exemptions of others are not for one package to tell.
func gates(code string) bool {
	return code == rules.Gate(site.Decode) || code == rules.Gate(site.Step) || code == rules.Gate(site.Implicit)
}

func ours(code string) bool { return gates(code) || len(code) > 3 && code[:3] == "TV9" }

// report says a finding where it stands; what is about the ledger itself
// stands at the package.
func (g *gate) report(f site.Finding) {
	d := analysis.Diagnostic{Pos: g.pass.Files[0].Package, Category: f.Code, Message: f.Message}
	if pos, ok := g.pos(f.At); ok {
		d.Pos = pos
	} else {
		d.Message = fmt.Sprintf("%s:%d: %s", f.At.File, f.At.Line, f.Message)
	}
	g.pass.Report(d)
}

func (g *gate) pos(at site.Position) (token.Pos, bool) {
	if pos, ok := g.at[place(at)]; ok {
		return pos, true
	}
	for _, f := range g.pass.Files {
		file := g.pass.Fset.File(f.FileStart)
		if g.unit.Position(f.Package).File == at.File && at.Line >= 1 && at.Line <= file.LineCount() {
			return file.LineStart(at.Line), true
		}
	}
	return token.NoPos, false
}
