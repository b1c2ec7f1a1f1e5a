package ledger

import (
	"fmt"
	"path"

	"github.com/trainvet/trainvet/analyzers/rules"
	"github.com/trainvet/trainvet/analyzers/site"
)

// unguarded says that nothing guards or counts a site.
func unguarded(s *site.Site) site.Finding {
	var text string
	switch s.Kind {
	case site.Step:
		text = fmt.Sprintf("nothing counts the steps that %s does not take: a run that trained less than it says prints the same number", s.ID.Callee)
	case site.Implicit:
		text = fmt.Sprintf("%s decodes or steps out of sight, and no row of the ledger says why that is safe", s.ID.Callee)
	default:
		text = fmt.Sprintf("ids reach %s unchecked: an impossible id is dropped or blanked and the text scores as a bad model", s.ID.Callee)
	}
	if s.Why != "" {
		text += " (" + s.Why + ")"
	}
	f := about(s, rules.Gate(s.Kind), text)
	if s.Guard != nil {
		f.Related = append(f.Related, *s.Guard)
	}
	return f
}

// undeclared says that a site which is fine by itself stands in no row.
func undeclared(s *site.Site) site.Finding {
	return about(s, "TV901", fmt.Sprintf("%s is a new %s site, %s, and no row of the ledger names it: run \"trainvet ledger update\" and commit the row", s.ID.Callee, s.Kind, s.State))
}

// about makes a finding at a site, with the severity of its rule.
func about(s *site.Site, code, text string) site.Finding {
	f := site.Finding{
		Code: code, Severity: severity(code), Message: text, At: s.At, End: s.End,
		Site: s.ID.String(), Shape: s.Shape,
	}
	f.Fingerprint = site.Fingerprint(code, f.Site, string(f.Shape), s.ID.Ordinal)
	return f
}

func severity(code string) site.Severity {
	if r, ok := rules.Find(code); ok {
		return r.Severity
	}
	return site.Error
}

// lang names the language of a source file as rules do.
func lang(file string) string {
	switch path.Ext(file) {
	case ".go":
		return "go"
	case ".py", ".pyi", ".ipynb":
		return "py"
	}
	return ""
}
