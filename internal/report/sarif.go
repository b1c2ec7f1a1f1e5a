package report

import (
	"fmt"
	"io"
	"net/url"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/trainvet/trainvet/analyzers/site"
	"github.com/trainvet/trainvet/internal/plain"
)

// sarif prints SARIF 2.1.0. Results are known over time by the identity of
// their site, which knows no lines; flows are code flows; a package that was
// not analysed is a notification of the run, which is then not a success where
// the ledger cannot be judged.
type sarif struct{}

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	toolURI     = "https://github.com/trainvet/trainvet"
	rootID      = "SRCROOT"
)

var sarifLevels = map[site.Severity]string{site.Error: "error", site.Warning: "warning", site.Info: "note"}

func (sarif) Findings(w io.Writer, v *Vetted) error {
	b := sarifBuilder{v: v, snippets: newSnippets(v.Source), rules: map[string]int{}}
	run := sarifRun{
		ColumnKind: "utf16CodeUnits",
		Bases:      map[string]sarifBase{rootID: {Description: sarifText{"the folder that holds the guard ledger"}}},
		Invocations: []sarifInvocation{{
			Successful: v.Complete, Notifications: b.notifications(),
		}},
		Results: []sarifResult{},
	}
	run.Tool.Driver = sarifDriver{Name: "trainvet", FullName: "trainvet vet", Version: version(), SemanticVersion: semantic(version()), URI: toolURI, Rules: b.describe(), Notifications: []sarifDescriptor{unanalysedDescriptor()}}
	for i := range v.Findings {
		run.Results = append(run.Results, b.result(&v.Findings[i]))
	}
	return writeJSON(w, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}})
}

type sarifBuilder struct {
	v        *Vetted
	snippets *snippets
	rules    map[string]int // index by code
}

func (b *sarifBuilder) describe() []sarifDescriptor {
	out := []sarifDescriptor{}
	for i, r := range b.v.Rules {
		b.rules[r.Code] = i
		flags := sentence(firstOf(r.Flags, r.Name))
		d := sarifDescriptor{
			ID: r.Code, Name: pascal(r.Name), Short: &sarifText{flags}, Full: &sarifText{sentence(firstOf(r.Matters, r.Flags, r.Name))},
			Help:    &sarifText{"trainvet explain " + r.Code + " says what it flags, why that matters for a number, and how the same looks guarded."},
			HelpURI: toolURI + "/blob/main/docs/rules/" + r.Code + ".md",
		}
		d.Config = &sarifConfig{Level: sarifLevels[r.Severity]}
		out = append(out, d)
	}
	return out
}

func unanalysedDescriptor() sarifDescriptor {
	return sarifDescriptor{
		ID: "UNANALYSED", Name: "PackageNotAnalysed", Short: &sarifText{"A package was not analysed."},
		Full: &sarifText{"A package was not analysed, and what stands in it is not known."},
		Help: &sarifText{"Mend what the message names, so that the go command can resolve the package."}, HelpURI: toolURI + "/blob/main/docs/vet.md",
	}
}

func (b *sarifBuilder) notifications() []sarifNotification {
	out := []sarifNotification{}
	for i := range b.v.Gaps {
		g := &b.v.Gaps[i]
		if !g.Unanalysed {
			continue
		}
		n := sarifNotification{Level: "warning", Message: sarifText{sentence(g.What + ": " + g.Why)}, Descriptor: sarifReference{ID: "UNANALYSED", Index: 0}}
		if g.Matters {
			n.Level = "error"
		}
		if g.At.File != "" {
			n.Locations = []sarifLocation{b.location(g.At, site.Position{}, "")}
		}
		out = append(out, n)
	}
	return out
}

func (b *sarifBuilder) result(f *site.Finding) sarifResult {
	r := sarifResult{
		RuleID: f.Code, Level: sarifLevels[f.Severity], Message: sarifText{sentence(f.Message)},
		Locations:    []sarifLocation{b.location(f.At, f.End, "")},
		Fingerprints: map[string]string{"trainvet/finding/v1": f.Fingerprint},
	}
	if i, ok := b.rules[f.Code]; ok {
		r.RuleIndex = &i
	}
	if f.Site != "" {
		r.Fingerprints["trainvet/site/v1"] = f.Site + " @" + string(f.Shape)
	}
	if len(f.Related) > 0 {
		flow := []sarifStep{{Location: b.location(f.At, f.End, f.Message)}}
		for _, related := range f.Related {
			l := b.location(related.At, site.Position{}, related.Message)
			flow = append(flow, sarifStep{Location: l})
			l.ID = len(r.Related) + 1
			r.Related = append(r.Related, l)
		}
		r.Flows = []sarifFlow{{Threads: []sarifThread{{Steps: flow}}}}
	}
	for _, fix := range f.Fixes {
		r.Fixes = append(r.Fixes, b.fix(fix))
	}
	return r
}

func (b *sarifBuilder) fix(fix site.Fix) sarifFix {
	out := sarifFix{Description: sarifText{sentence(fix.Message)}}
	index := map[string]int{}
	for _, e := range fix.Edits {
		i, ok := index[e.File]
		if !ok {
			i = len(out.Changes)
			index[e.File] = i
			out.Changes = append(out.Changes, sarifChange{Artifact: sarifFile(e.File)})
		}
		out.Changes[i].Replacements = append(out.Changes[i].Replacements, sarifReplacement{
			Deleted: sarifBytes{Offset: e.Start, Length: e.End - e.Start}, Inserted: sarifText{e.New},
		})
	}
	return out
}

func (b *sarifBuilder) location(at, end site.Position, message string) sarifLocation {
	l := sarifLocation{Physical: sarifPhysical{Artifact: sarifFile(at.File), Region: b.region(at, end)}}
	if message != "" {
		l.Message = &sarifText{sentence(message)}
	}
	return l
}

// region counts columns in UTF-16 code units, as editors do; ours are bytes.
// A cell's lines are those of no file: such a finding stands at its first.
func (b *sarifBuilder) region(at, end site.Position) *sarifRegion {
	if at.Line < 1 || at.Cell > 0 {
		return &sarifRegion{StartLine: 1}
	}
	r := &sarifRegion{StartLine: at.Line}
	if at.Column > 0 {
		r.StartColumn = b.snippets.units(at)
	}
	if end.File == at.File && (end.Line > at.Line || end.Line == at.Line && end.Column > at.Column) {
		r.EndLine, r.EndColumn = end.Line, b.snippets.units(end)
	}
	if line := b.snippets.line(at); line != "" {
		r.Snippet = &sarifText{plain.Line(line, maxSnippet)}
	}
	return r
}

// units is the column of a place in UTF-16 code units, from 1.
func (s *snippets) units(at site.Position) int {
	line := s.line(at)
	n := 1
	for i, r := range line {
		if i >= at.Column-1 {
			break
		}
		n += max(utf16.RuneLen(r), 1)
	}
	if len(line) < at.Column-1 {
		n += at.Column - 1 - len(line)
	}
	return n
}

// sarifFile names a file by its path from the root; one outside by its own.
func sarifFile(file string) sarifArtifact {
	if strings.HasPrefix(file, "/") || len(file) > 1 && file[1] == ':' {
		return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(file, "/")}).String()}
	}
	// A colon in the first part would make it a scheme.
	uri := strings.ReplaceAll((&url.URL{Path: file}).EscapedPath(), ":", "%3A")
	return sarifArtifact{URI: uri, Base: rootID}
}

// sentence is a message as SARIF viewers show it: printable, ending in a stop.
func sentence(text string) string {
	text = strings.TrimSpace(plain.Line(strings.Join(strings.Fields(text), " "), 0))
	if text == "" || strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}

// pascal turns a rule's name into the form of SARIF names.
func pascal(name string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' || r == ' ' }) {
		r, size := utf8.DecodeRuneInString(word)
		fmt.Fprintf(&b, "%s%s", strings.ToUpper(string(r)), word[size:])
	}
	return b.String()
}
