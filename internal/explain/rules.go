package explain

import (
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers/rules"
	"github.com/trainvet/trainvet/analyzers/site"
	"github.com/trainvet/trainvet/internal/report"
)

// vetRules are the rules of trainvet vet.
type vetRules []rules.Text

func (v vetRules) Name() string { return "rules of trainvet vet" }

func (v vetRules) Codes() []string {
	out := make([]string, len(v))
	for i := range v {
		out[i] = v[i].Code
	}
	return out
}

func (v vetRules) Entry(code string) report.Entry {
	i := slices.IndexFunc(v, func(t rules.Text) bool { return t.Code == code })
	if i < 0 {
		return report.Entry{}
	}
	t := v[i]
	e := report.Entry{
		Code: t.Code, Kind: "rule " + t.Name, Effect: effect(t.Rule),
		What: line(t.Rule.Flags), Meaning: line(t.Matters), Blind: t.Blind, Source: strings.Join(t.Sources, ", "),
	}
	for _, part := range []struct {
		title string
		list  []rules.Snippet
	}{{"flagged", t.Examples}, {"right", t.Guards}} {
		for _, s := range part.list {
			title := part.title
			if len(part.list) > 1 {
				title += ", " + s.Lang
			}
			e.Samples = append(e.Samples, report.Sample{Title: title, Code: s.Code})
		}
	}
	return e
}

func effect(r site.Rule) string {
	text := rules.Effect(r) + ", for " + strings.Join(r.Langs, " and ")
	if r.Until {
		text += ", an exemption needs an end"
	}
	return text
}

// line joins paragraphs: an entry has one.
func line(text string) string { return strings.ReplaceAll(text, "\n\n", " ") }
