package rules

import (
	"fmt"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// Finding is what a rule says of a node.
type Finding struct {
	At      syntax.Node
	Message string // lower case, no full stop: the value and the consequence
	// Head: only the first line of At is marked. Statements with a block always
	// are.
	Head     bool
	Severity site.Severity // empty: that of the rule's text
	Related  []Related     // the other ends
	Fixes    []Fix         // the best first
	Site     syntax.Node   // the Call of the site that it is about; 0: none
	Handler  string        // what a ledger row calls the place that it is about: except(Exception); empty: none
	// Unless: words of the rule's Facts. One that stands in a file of the tree
	// outside of tests, notebooks' output included, takes the finding back. If:
	// all must stand in some file.
	Unless []string
	If     []string
}

// Related is another end of a finding.
type Related struct {
	At      syntax.Node
	Message string
	There   site.Position // in another file, where At is 0
}

// Fix is a change that mends a finding. A safe one keeps what the program means
// where nothing is wrong.
type Fix struct {
	Message string
	Safe    bool
	Edits   []Edit
}

// Edit replaces bytes of the file: offsets as Start and End of a node.
type Edit struct {
	Start, End int
	New        string
}

// Replace is the edit that writes something else for a node.
func (f *File) Replace(n syntax.Node, text string) Edit {
	return Edit{f.Start(n), f.End(n), text}
}

// Before is the edit that writes a line above the statement that n is or
// stands in, as far indented.
func (f *File) Before(n syntax.Node, line string) Edit {
	for !f.Kind(n).IsStatement() {
		n = f.Parent(n)
	}
	at := f.Start(n)
	return Edit{at, at, line + "\n" + f.indent(n)}
}

// After is the edit that writes a line below a simple statement, as far
// indented.
func (f *File) After(n syntax.Node, line string) Edit {
	for !f.Kind(n).IsStatement() {
		n = f.Parent(n)
	}
	at := f.End(n)
	return Edit{at, at, "\n" + f.indent(n) + line}
}

// indent is what stands before a statement on its line.
func (f *File) indent(n syntax.Node) string {
	text, at := f.Text(), f.Start(n)
	start := at
	for start > 0 && text[start-1] != '\n' && text[start-1] != '\r' {
		start--
	}
	end := start
	for end < at && (text[end] == ' ' || text[end] == '\t') {
		end++
	}
	return string(text[start:end])
}

// Report takes what one rule says of one file.
type Report struct {
	rule *Rule
	run  *Runner
	src  *Source
}

// Add reports.
func (r *Report) Add(f Finding) {
	out := site.Finding{Code: r.rule.Code, Severity: f.Severity, Message: f.Message, At: r.run.place(r.src, f.At), End: r.run.end(r.src, f)}
	for _, rel := range f.Related {
		at := rel.There
		if rel.At != 0 {
			at = r.run.place(r.src, rel.At)
		}
		out.Related = append(out.Related, site.Related{At: at, Message: rel.Message})
	}
	if r.src.Editable {
		for _, fix := range f.Fixes {
			out.Fixes = append(out.Fixes, fix.of(r.src.Name))
		}
	}
	if f.Site != 0 {
		out.Site, out.Shape = r.src.SiteOf(f.Site)
	}
	if f.Handler != "" {
		out.Site, out.Shape = r.src.HandlerOf(f.At, f.Handler)
	}
	r.run.keep(r.rule, f, out)
}

// Say reports at a node, without more.
func (r *Report) Say(at syntax.Node, format string, args ...any) {
	r.Add(Finding{At: at, Message: fmt.Sprintf(format, args...)})
}

// Note leaves something for Finish. It must hold no nodes: the tree is gone by
// then. Place gives positions.
func (r *Report) Note(value any) {
	r.run.notes[r.rule.Code] = append(r.run.notes[r.rule.Code], Note{File: r.src.Name, Value: value})
}

// Place is where a node stands, for notes.
func (r *Report) Place(n syntax.Node) site.Position { return r.run.place(r.src, n) }

func (fix Fix) of(file string) site.Fix {
	out := site.Fix{Message: fix.Message, Safe: fix.Safe}
	for _, e := range fix.Edits {
		out.Edits = append(out.Edits, site.Edit{File: file, Start: e.Start, End: e.End, New: e.New})
	}
	return out
}
