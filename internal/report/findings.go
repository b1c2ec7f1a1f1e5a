package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/trainvet/trainvet/analyzers/ledger"
	"github.com/trainvet/trainvet/analyzers/site"
)

// FindingsVersion is the version of what vet --format json prints.
const FindingsVersion = 1

// Vetted is a tree held against its ledger, as the printers need it.
type Vetted struct {
	Version   int             `json:"version"`
	Root      string          `json:"root"`      // folder that files are named from
	Inventory bool            `json:"inventory"` // there is no ledger: sites fail nothing
	Complete  bool            `json:"complete"`  // everything was looked at that a ledger can be judged by
	Findings  []site.Finding  `json:"findings"`  // sorted by place
	Sites     []ListedSite    `json:"sites"`     // sorted by place
	Debt      []Owed          `json:"debt"`      // what would fail but for a baseline or --new-from
	Stale     []string        `json:"stale"`     // rows of the ledger that have no site any more
	Unknown   []string        `json:"unknown"`   // rows without a site, where not all was looked at
	Units     []site.Unit     `json:"units"`     // packages and files that were asked for
	Gaps      []site.Gap      `json:"gaps"`      // what was not looked at, and why
	Rules     []RuleOfFinding `json:"rules"`     // of the findings, by code

	// Source reads a file of the tree for the lines that findings are about;
	// nil: none are shown.
	Source func(file string) ([]byte, error) `json:"-"`
}

// ListedSite is a site with what the ledger makes of it.
type ListedSite struct {
	Site   site.Site  `json:"site"`              // as the front end found it
	Name   string     `json:"name"`              // its id, as rows write it
	Counts site.State `json:"counts"`            // its state as it counts: exempt where an exemption holds
	Row    string     `json:"row,omitempty"`     // of the ledger
	How    ledger.How `json:"matched,omitempty"` // how the row was found
}

// Owed is a finding or site that fails later.
type Owed struct {
	Code  string        `json:"code"`
	At    site.Position `json:"at"`
	Site  string        `json:"site,omitempty"`
	Until string        `json:"until,omitempty"` // empty: it is older than the revision of --new-from
}

// RuleOfFinding is what a report says of a rule.
type RuleOfFinding struct {
	Code     string        `json:"code"`
	Name     string        `json:"name"`
	Severity site.Severity `json:"severity"`
	Flags    string        `json:"flags"`
	Matters  string        `json:"matters"`
}

// FindingsPrinter writes what vet found in one format.
type FindingsPrinter interface {
	Findings(w io.Writer, v *Vetted) error
}

// FindingsFormat is a way to print what vet found.
type FindingsFormat struct {
	Name  string
	About string
	New   func(Options) FindingsPrinter
}

// FindingsFormats lists every format; the first is the default.
func FindingsFormats() []FindingsFormat {
	return []FindingsFormat{
		{"text", "for people: verdict, findings with their source, debt, what was not looked at", func(o Options) FindingsPrinter { return findingsText{o} }},
		{"json", "all of it, versioned (see docs/schema)", func(Options) FindingsPrinter { return findingsJSON{} }},
		{"sarif", "SARIF 2.1.0, for code scanning", func(Options) FindingsPrinter { return sarif{} }},
		{"github", "workflow commands: annotations on a pull request", func(Options) FindingsPrinter { return githubFindings{} }},
		{"junit", "JUnit XML: a suite per rule", func(Options) FindingsPrinter { return junit{} }},
	}
}

// NewFindings returns the printer of a format; an unknown one gives an
// [UnknownFormatError].
func NewFindings(format string, o Options) (FindingsPrinter, error) {
	var known []string
	for i, f := range FindingsFormats() {
		if f.Name == format || format == "" && i == 0 {
			return f.New(o), nil
		}
		known = append(known, f.Name)
	}
	return nil, &UnknownFormatError{Name: format, Known: known}
}

// counts of a report.
type tally struct {
	sites, tests            int // tests: sites in test files, which are never gated
	byState                 []string
	errors, warnings, infos int
	unanalysed              int // packages
	unanalysedFiles         int // of Python, which has no packages
}

func (v *Vetted) tally() tally {
	var t tally
	states := map[site.State]int{}
	for i := range v.Sites {
		if v.Sites[i].Site.Test {
			t.tests++
			continue
		}
		t.sites++
		states[v.Sites[i].Counts]++
	}
	for _, s := range []site.State{site.Guarded, site.Counted, site.CountedWeak, site.Runtime, site.Exempt, site.Unguarded, site.Uncounted} {
		if states[s] > 0 {
			t.byState = append(t.byState, fmt.Sprintf("%d %s", states[s], s))
		}
	}
	for i := range v.Findings {
		switch v.Findings[i].Severity {
		case site.Error:
			t.errors++
		case site.Warning:
			t.warnings++
		default:
			t.infos++
		}
	}
	for i := range v.Gaps {
		switch {
		case !v.Gaps[i].Unanalysed:
		case isFile(v.Gaps[i].What):
			t.unanalysedFiles++
		default:
			t.unanalysed++
		}
	}
	return t
}

// summary is the verdict in one line.
func (v *Vetted) summary() string {
	t := v.tally()
	text := plural(int64(t.sites), "site", "sites")
	if len(t.byState) > 0 {
		text += ": " + strings.Join(t.byState, ", ")
	}
	text += "; " + findingCount(t)
	for _, p := range []struct {
		n         int
		one, many string
	}{{t.unanalysed, "package", "packages"}, {t.unanalysedFiles, "file", "files"}} {
		if p.n > 0 {
			text += "; " + plural(int64(p.n), p.one, p.many) + " UNANALYSED"
		}
	}
	return text
}

// isFile tells units that are files, as those of Python are, from packages.
func isFile(unit string) bool {
	return strings.HasSuffix(unit, ".go") || strings.HasSuffix(unit, ".py") || strings.HasSuffix(unit, ".ipynb")
}

func findingCount(t tally) string {
	n := t.errors + t.warnings + t.infos
	text := plural(int64(n), "finding", "findings")
	var parts []string
	for _, p := range []struct {
		n         int
		one, many string
	}{{t.errors, "error", "errors"}, {t.warnings, "warning", "warnings"}, {t.infos, "note", "notes"}} {
		if p.n > 0 {
			parts = append(parts, plural(int64(p.n), p.one, p.many))
		}
	}
	if n == 0 {
		return "no findings"
	}
	return text + " (" + strings.Join(parts, ", ") + ")"
}

// placeOf is file:line:column, the cell of a notebook beside its file.
func placeOf(at site.Position) string {
	text := at.File
	if at.Cell > 0 {
		text += fmt.Sprintf("[cell %d]", at.Cell)
	}
	if at.Line > 0 {
		text += fmt.Sprintf(":%d", at.Line)
		if at.Column > 0 {
			text += fmt.Sprintf(":%d", at.Column)
		}
	}
	return cmp.Or(text, "(no place)")
}
