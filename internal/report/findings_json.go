package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/trainvet/trainvet/analyzers/site"
)

// findingsJSON prints all of it: indented, one final newline.
type findingsJSON struct{}

func (findingsJSON) Findings(w io.Writer, v *Vetted) error {
	whole := *v
	whole.Version = FindingsVersion
	// A reader may count on the arrays that are always written.
	whole.Findings = orEmpty(whole.Findings)
	whole.Sites = orEmpty(whole.Sites)
	whole.Debt = orEmpty(whole.Debt)
	whole.Stale = orEmpty(whole.Stale)
	whole.Unknown = orEmpty(whole.Unknown)
	whole.Units = orEmpty(whole.Units)
	whole.Gaps = orEmpty(whole.Gaps)
	whole.Rules = orEmpty(whole.Rules)
	return writeJSON(w, &whole)
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func writeJSON(w io.Writer, doc any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return fmt.Errorf("encoding the findings: %w", err)
	}
	if _, err := w.Write(escapeUnprintable(b.Bytes())); err != nil {
		return fmt.Errorf("writing the findings: %w", err)
	}
	return nil
}

// severities in the order of a report's numbers.
var severities = []site.Severity{site.Error, site.Warning, site.Info}
