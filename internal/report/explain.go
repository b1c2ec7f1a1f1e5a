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
	Source  string   // where the fact comes from
	See     []string // other codes
}

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
