package report

import (
	"fmt"
	"io"
	"strings"
)

// Entry is what is known of a reason, a marker or a rule.
type Entry struct {
	Code    string
	Kind    string   // reason, marker, rule, check
	Effect  string   // what it does to a verdict, or a marker's class and scope
	What    string   // what it is
	Meaning string   // what it means for a number
	Remedy  []string // in the order to try
	Samples []Sample // code, as it stands
	Blind   []string // what it does not see
	Source  string   // where the fact comes from
	See     []string // other codes
}

// Sample is code under a heading.
type Sample struct{ Title, Code string }

// Explain prints an entry for people.
func Explain(w io.Writer, e Entry, o Options) error {
	p := &page{o: o}
	about := e.Kind
	if e.Effect != "" {
		about += ", " + e.Effect
	}
	p.emit(0, short(e.Code)+" ("+about+")")
	p.paragraph("what it is", e.What)
	p.paragraph("what it means for a number", e.Meaning)
	p.remedies(e.Remedy)
	for _, s := range e.Samples {
		p.sample(s)
	}
	if len(e.Blind) > 0 {
		p.section("what it does not see")
		for _, b := range e.Blind {
			p.emit(2, b)
		}
	}
	p.paragraph("source", e.Source)
	p.paragraph("see", strings.Join(e.See, ", "))
	if _, err := w.Write(p.b.Bytes()); err != nil {
		return fmt.Errorf("writing the explanation: %w", err)
	}
	return nil
}

func (p *page) paragraph(title, text string) {
	if text == "" {
		return
	}
	p.section(title)
	p.emit(2, text)
}

// sample keeps the lines of code and their indentation.
func (p *page) sample(s Sample) {
	p.section(s.Title)
	for line := range strings.Lines(strings.ReplaceAll(s.Code, "\t", "    ")) {
		text := strings.TrimLeft(strings.TrimSuffix(line, "\n"), " ")
		p.emit(2+len(line)-len(strings.TrimLeft(line, " ")), text)
	}
}

// remedies numbers them only where there is an order to keep.
func (p *page) remedies(list []string) {
	switch len(list) {
	case 0:
	case 1:
		p.paragraph("what to do", list[0])
	default:
		p.section("what to do, in this order")
		for i, r := range list {
			p.emit(2, fmt.Sprintf("%d. %s", i+1, r))
		}
	}
}
