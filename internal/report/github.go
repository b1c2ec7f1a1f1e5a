package report

import (
	"fmt"
	"io"

	"github.com/trainvet/trainvet/analyzers/site"
	"github.com/trainvet/trainvet/internal/plain"
)

// githubFindings prints workflow commands, which GitHub shows on the lines of
// a pull request. It shows ten of a kind and step: errors come first.
type githubFindings struct{}

var githubLevels = map[site.Severity]string{site.Error: "error", site.Warning: "warning", site.Info: "notice"}

func (githubFindings) Findings(w io.Writer, v *Vetted) error {
	var lines []string
	for _, severity := range severities {
		for i := range v.Findings {
			if f := &v.Findings[i]; f.Severity == severity {
				lines = append(lines, githubFinding(f))
			}
		}
	}
	for i := range v.Gaps {
		if g := &v.Gaps[i]; g.Unanalysed {
			level := "warning"
			if g.Matters {
				level = "error"
			}
			lines = append(lines, plain.GitHub(level, plain.Place{File: g.At.File, Line: g.At.Line}, "UNANALYSED", g.What+": "+g.Why))
		}
	}
	lines = append(lines, plain.Line("trainvet vet: "+v.summary(), 0))
	for _, line := range lines {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return fmt.Errorf("writing the annotations: %w", err)
		}
	}
	return nil
}

func githubFinding(f *site.Finding) string {
	at, message := plain.Place{File: f.At.File, Line: f.At.Line}, f.Message
	switch { // GitHub takes columns within one line only
	case f.End.Line > f.At.Line:
		at.EndLine = f.End.Line
	case f.End.Line == f.At.Line && f.End.Column > f.At.Column:
		at.EndLine, at.Column, at.EndColumn = f.End.Line, f.At.Column, f.End.Column
	}
	if f.At.Cell > 0 { // the line counts within the cell, of which GitHub knows nothing
		at = plain.Place{File: f.At.File}
		message = fmt.Sprintf("cell %d, line %d: %s", f.At.Cell, f.At.Line, message)
	}
	for _, r := range f.Related {
		message += "; " + placeOf(r.At) + ": " + r.Message
	}
	return plain.GitHub(githubLevels[f.Severity], at, f.Code, message)
}
