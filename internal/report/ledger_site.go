package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers/ledger"
	"github.com/trainvet/trainvet/analyzers/site"
)

// LedgerSite is one site with all that is known of it.
type LedgerSite struct {
	Site     site.Site      `json:"site"`
	Name     string         `json:"name"`
	Counts   site.State     `json:"counts"`
	Row      string         `json:"row,omitempty"`
	How      ledger.How     `json:"matched"`
	Findings []site.Finding `json:"findings"`
}

// NewLedgerSite takes a site out of a judgement.
func NewLedgerSite(j *ledger.Judgement, a *ledger.Judged) *LedgerSite {
	s := &LedgerSite{Site: a.Site, Name: a.Site.ID.String(), Counts: a.State, How: a.How, Findings: []site.Finding{}}
	if a.Row != nil {
		s.Row = a.Row.String()
	}
	for _, f := range j.Findings {
		if f.Site == s.Name && f.Shape == a.Site.Shape {
			s.Findings = append(s.Findings, f)
		}
	}
	s.Site.Handlers = slices.Clone(a.Site.Handlers)
	for i := range s.Site.Handlers {
		loses(&s.Site.Handlers[i], j.Findings)
	}
	return s
}

// loses marks a place that hands a fault on by one way and loses it by
// another: the handler there has a finding of its own, which nobody exempted.
func loses(h *site.Handling, findings []site.Finding) {
	for _, f := range findings {
		id, err := site.ParseID(f.Site)
		if err != nil || h.Lost || !strings.HasPrefix(f.Code, "TV2") || f.Severity == site.Info {
			continue
		}
		if id.Path == h.At.File && (id.Func == h.Func || strings.HasPrefix(id.Func, h.Func+".")) {
			h.Lost, h.At, h.Message = true, f.At, f.Code+": "+f.Message
		}
	}
}

// JSON writes the site for programs.
func (s *LedgerSite) JSON(w io.Writer) error { return writeJSON(w, s) }

// Text writes it for people: what stands before the site, and each place that
// sees its fault on the way up, also when all is well.
func (s *LedgerSite) Text(w io.Writer, o Options) error {
	p := &page{o: o}
	state := s.Counts
	if s.Site.Kind == site.Handler {
		state = site.State(s.How) // a handler has no state, only a row or none
	}
	p.emit(0, fmt.Sprintf("%s (%s, %s)", s.Name, s.Site.Kind, state))
	p.emit(2, "at "+placeOf(s.Site.At)+s.origin())
	if s.Row == "" {
		p.emit(2, "no row of the ledger")
	} else {
		p.emit(2, fmt.Sprintf("its row (%s): %s", s.How, s.Row))
	}
	if s.Site.Kind != site.Handler {
		s.guard(p)
		s.handlers(p)
	}
	if len(s.Findings) > 0 {
		p.section("findings")
		for _, f := range s.Findings {
			p.emit(2, fmt.Sprintf("%s %s: %s", f.Severity, f.Code, f.Message))
		}
	}
	if _, err := w.Write(p.b.Bytes()); err != nil {
		return fmt.Errorf("writing the site: %w", err)
	}
	return nil
}

func (s *LedgerSite) origin() string {
	text := ""
	if s.Site.By != "" {
		text += ", a site by " + s.Site.By
	}
	if s.Site.Origin != "" {
		text += ", its ids are " + s.Site.Origin
	}
	if s.Site.Escapes {
		text += ", passed on as a value and called elsewhere"
	}
	if s.Site.Test {
		text += ", in a test, never gated"
	}
	return text
}

func (s *LedgerSite) guard(p *page) {
	p.section("what checks it")
	switch {
	case s.Site.Guard != nil:
		p.emit(2, placeOf(s.Site.Guard.At)+": "+s.Site.Guard.Message)
	case s.Site.Why == "":
		p.emit(2, "nothing")
	}
	if s.Site.Why != "" {
		p.emit(2, s.Site.Why)
	}
}

func (s *LedgerSite) handlers(p *page) {
	p.section("what sees a fault on its way from there to the top of the run, innermost first")
	switch {
	case len(s.Site.Handlers) > 0:
	case s.Site.State.Fails():
		p.emit(2, "nothing here raises one")
	default:
		p.emit(2, "no handler: nothing keeps it from the top")
	}
	for _, h := range s.Site.Handlers {
		what := "passes it on"
		if h.Lost {
			what = "LOST"
		}
		text := fmt.Sprintf("%s in %s: %s", placeOf(h.At), h.Func, what)
		if h.Message != "" {
			text += ": " + h.Message
		}
		p.emit(2, text)
	}
}
