package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/trainvet/trainvet/analyzers/site"
)

// findingsText prints for people: the verdict, each finding with its source,
// what is owed, what was not looked at.
type findingsText struct{ o Options }

// maxListed is how many names of one kind a report shows that is not verbose.
const maxListed = 10

func (t findingsText) Findings(w io.Writer, v *Vetted) error {
	s := &findingsSheet{page: page{o: t.o}, v: v, snippets: newSnippets(v.Source)}
	s.verdict()
	if !t.o.Quiet {
		for i := range v.Findings {
			s.finding(&v.Findings[i])
		}
		for _, part := range []func(){s.sites, s.debt, s.rows, s.unanalysed, s.notChecked, s.whatToDo} {
			part()
		}
	}
	if _, err := w.Write(s.b.Bytes()); err != nil {
		return fmt.Errorf("writing the findings: %w", err)
	}
	return nil
}

// findingsSheet is one report while it is written.
type findingsSheet struct {
	page
	v        *Vetted
	snippets *snippets
	written  map[string]bool // files that are generated; nil: not asked for yet
}

func (s *findingsSheet) verdict() {
	s.emit(0, s.v.summary())
	switch {
	case s.v.Inventory:
		s.emit(0, "no ledger: this is an inventory, and sites fail nothing yet; trainvet ledger update writes the first one")
	case !s.v.Complete:
		s.emit(0, "the ledger cannot be judged: not everything was analysed in which a site may lie")
	}
}

var severityColors = map[site.Severity]string{site.Error: "\x1b[1;31m", site.Warning: "\x1b[33m", site.Info: "\x1b[36m"}

func (s *findingsSheet) finding(f *site.Finding) {
	s.b.WriteByte('\n')
	start := s.b.Len()
	head := string(f.Severity) + " " + f.Code
	place := placeOf(f.At)
	s.emit(0, place+": "+head+": "+f.Message)
	if s.o.Color {
		text := strings.Replace(string(s.b.Bytes()[start:]), ": "+head+":", ": "+severityColors[f.Severity]+head+"\x1b[0m:", 1)
		s.b.Truncate(start)
		s.b.WriteString(text)
	}
	s.snippet(s.snippets, f.At, f.End)
	for _, r := range f.Related {
		s.emit(2, placeOf(r.At)+": "+r.Message)
		point := r.At
		point.Column++
		s.snippet(s.snippets, r.At, point)
	}
	for _, fix := range f.Fixes {
		how := "--fix does it"
		if !fix.Safe {
			how = "look at it with --diff --drafts"
		}
		s.emit(2, "fix: "+fix.Message+" ("+how+")")
	}
	if s.generated(f.At.File) {
		s.emit(2, "generated code: mend what wrote it")
	}
	if f.Site != "" {
		s.emit(2, "site: "+f.Site+" @"+string(f.Shape))
	}
}

// sites lists every site of an inventory, and on demand of any tree.
func (s *findingsSheet) sites() {
	if !s.v.Inventory && !s.o.Verbose {
		return
	}
	listed := 0
	for i := range s.v.Sites {
		counts, x := s.v.Sites[i].Counts, &s.v.Sites[i].Site
		if x.Test && !s.o.Verbose {
			continue
		}
		if listed == 0 {
			s.section("sites")
		}
		listed++
		text := fmt.Sprintf("%s: %s %s, %s", placeOf(x.At), x.Kind, x.ID.Callee, counts)
		if x.Why != "" {
			text += ": " + x.Why
		}
		for _, note := range []struct {
			is   bool
			text string
		}{{x.Escapes && x.Why == "", "passed on as a value"}, {x.Test, "in a test"}, {s.generated(x.At.File), "generated code"}} {
			if note.is {
				text += " (" + note.text + ")"
			}
		}
		s.emit(2, text)
	}
}

// generated reports whether a file was written by a program. It is asked for
// each site and finding, and a tree has as many units as files.
func (s *findingsSheet) generated(file string) bool {
	if s.written == nil {
		s.written = map[string]bool{}
		for i := range s.v.Units {
			for _, f := range s.v.Units[i].Generated {
				s.written[f] = true
			}
		}
	}
	return s.written[file]
}

func (s *findingsSheet) debt() {
	if len(s.v.Debt) == 0 {
		return
	}
	s.section("debt, which fails nothing yet: " + plural(int64(len(s.v.Debt)), "place", "places"))
	s.list(len(s.v.Debt), func(i int) string {
		d := s.v.Debt[i]
		until := "older than the revision of --new-from"
		if d.Until != "" {
			until = "until " + d.Until
		}
		return placeOf(d.At) + ": " + d.Code + ", " + until
	})
}

func (s *findingsSheet) rows() {
	for _, part := range []struct {
		title string
		rows  []string
	}{
		{"rows of the ledger that have no site any more", s.v.Stale},
		{"rows of the ledger that could not be confirmed, since not all was looked at", s.v.Unknown},
	} {
		if len(part.rows) > 0 {
			s.section(part.title)
			s.list(len(part.rows), func(i int) string { return part.rows[i] })
		}
	}
}

func (s *findingsSheet) unanalysed() {
	first := true
	for i := range s.v.Gaps {
		g := &s.v.Gaps[i]
		if !g.Unanalysed {
			continue
		}
		if first {
			s.section("UNANALYSED")
			first = false
		}
		text := g.What + ": " + g.Why
		if g.At.File != "" {
			text += " (" + placeOf(g.At) + ")"
		}
		s.emit(2, text)
		if len(g.Names) > 0 {
			s.emit(4, "a site may lie there:")
			s.listIn(6, len(g.Names), func(k int) string { return g.Names[k] })
		}
	}
}

func (s *findingsSheet) notChecked() {
	var lines []string
	if t := s.v.tally(); t.tests > 0 {
		lines = append(lines, plural(int64(t.tests), "site", "sites")+" in test files: listed, never gated")
	}
	first := true
	for i := range s.v.Gaps {
		if g := &s.v.Gaps[i]; !g.Unanalysed {
			lines = append(lines, g.What+": "+g.Why)
			if s.o.Verbose {
				lines = append(lines, g.Names...)
			}
		}
	}
	for _, line := range lines {
		if first {
			s.section("not checked")
			first = false
		}
		s.emit(2, line)
	}
}

// whatToDo names each rule once.
func (s *findingsSheet) whatToDo() {
	for i, r := range s.v.Rules {
		if i == 0 {
			s.section("what the codes mean (trainvet explain CODE says more)")
		}
		s.emit(2, r.Code+" "+r.Name+": "+firstSentence(firstOf(r.Matters, r.Flags)))
	}
}

func firstSentence(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if i := strings.Index(text, ". "); i >= 0 {
		text = text[:i]
	}
	return strings.TrimSuffix(text, ".")
}

func (s *findingsSheet) list(n int, line func(int) string) { s.listIn(2, n, line) }

// listIn shows the first lines of a long list and counts the rest.
func (s *findingsSheet) listIn(indent, n int, line func(int) string) {
	shown := n
	if !s.o.Verbose && n > maxListed+1 {
		shown = maxListed
	}
	for i := range shown {
		s.emit(indent, line(i))
	}
	if shown < n {
		s.emit(indent, fmt.Sprintf("and %d more (--verbose lists them)", n-shown))
	}
}
