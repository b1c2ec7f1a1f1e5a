package explain

import (
	"fmt"
	"strings"

	"github.com/trainvet/trainvet/analyzers/rules"
	"github.com/trainvet/trainvet/guards/record"
	"github.com/trainvet/trainvet/internal/config"
	"github.com/trainvet/trainvet/internal/report"
	"github.com/trainvet/trainvet/logscan/curve"
	"github.com/trainvet/trainvet/logscan/marker"
	"github.com/trainvet/trainvet/logscan/verdict"
)

// Shelves returns all catalogues: those built in, and what the configuration
// adds or sets.
func Shelves(markers *marker.Catalog, cfg *config.Config) ([]Shelf, error) {
	words, err := newWords()
	if err != nil {
		return nil, err
	}
	rows, err := verdict.Reasons()
	if err != nil {
		return nil, fmt.Errorf("reading the reasons: %w", err)
	}
	seen, err := record.Grades()
	if err != nil {
		return nil, fmt.Errorf("reading what guards see: %w", err)
	}
	driver, err := newXids(markers)
	if err != nil {
		return nil, err
	}
	return []Shelf{words, reasons(rows), grades(seen), markerShelf{markers}, driver, curves(curve.Texts()), vetRules(rules.Texts()), keys{cfg}}, nil
}

// effects are the words of reasons.tsv for people.
var effects = map[string]string{
	"poison": "makes a value POISONED", "unprove": "makes a value UNPROVEN",
	"degrade": "makes a value DEGRADED", "note": "changes no verdict",
}

type reasons []verdict.ReasonText

func (r reasons) Name() string { return "reasons" }

func (r reasons) Codes() []string {
	out := make([]string, len(r))
	for i := range r {
		out[i] = r[i].Code
	}
	return out
}

func (r reasons) Entry(code string) report.Entry {
	for _, row := range r {
		if row.Code == code {
			return report.Entry{
				Code: code, Kind: "reason", Effect: effects[row.Effect],
				What: row.Title, Meaning: blanks(row.Text), Remedy: nonEmpty(blanks(row.Do)),
			}
		}
	}
	return report.Entry{}
}

// blanks shows the figures of a case, which only a report can fill in, as "…".
func blanks(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString("…")
		_, text, _ = strings.Cut(rest, "}")
	}
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

type markerShelf struct{ catalog *marker.Catalog }

func (s markerShelf) Name() string { return "markers" }

func (s markerShelf) Codes() []string {
	var out []string
	for _, d := range s.catalog.All() {
		out = append(out, d.ID)
	}
	return out
}

func (s markerShelf) Entry(code string) report.Entry {
	d := s.catalog.Def(code)
	effect := fmt.Sprintf("%s, scope %s", d.Class, d.Scope)
	if d.Effect != "" {
		effect += ", effect on " + d.Effect
	}
	if d.Clears != "" {
		effect += ", cleared by " + d.Clears
	}
	what := d.Title
	if d.Runtime != "" {
		what = strings.TrimSpace(what + " (" + d.Runtime + ")")
	}
	return report.Entry{
		Code: d.ID, Kind: "marker", Effect: effect, What: what,
		Meaning: d.Meaning, Remedy: d.Remedy, Source: d.Source,
	}
}

// curves are the quality findings.
type curves []curve.Text

func (c curves) Name() string { return "findings on curves" }

func (c curves) Codes() []string {
	out := make([]string, len(c))
	for i := range c {
		out[i] = c[i].Code
	}
	return out
}

func (c curves) Entry(code string) report.Entry {
	for _, t := range c {
		if t.Code != code {
			continue
		}
		e := report.Entry{
			Code: code, Kind: "quality finding", Effect: "changes no verdict", What: t.Title,
			Meaning: "the number may be a true measurement; it is the model or its training that is bad",
			Remedy:  nonEmpty(t.Do),
		}
		for _, th := range curve.List() {
			if strings.HasPrefix(th.Name, code+".") {
				e.See = append(e.See, "quality."+th.Name)
			}
		}
		return e
	}
	return report.Entry{}
}

// keys are the configuration keys with the value that holds now.
type keys struct{ config *config.Config }

func (k keys) Name() string { return "configuration keys" }

func (k keys) Codes() []string {
	var out []string
	for _, key := range k.config.Keys() {
		out = append(out, key.Path)
	}
	return out
}

func (k keys) Entry(code string) report.Entry {
	for _, key := range k.config.Keys() {
		if key.Path != code {
			continue
		}
		e := report.Entry{Code: code, Kind: "configuration key", Effect: key.Type, What: key.Reason}
		if key.Range != "" {
			e.Effect += " in " + key.Range
		}
		for _, v := range k.config.Values() {
			if v.Key == code && v.Any != nil {
				e.Effect += fmt.Sprintf("; now %v (%s)", v.Any, v.Origin)
			}
		}
		return e
	}
	return report.Entry{}
}
