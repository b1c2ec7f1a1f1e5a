package ledger

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trainvet/trainvet/analyzers/rules"
	"github.com/trainvet/trainvet/analyzers/site"
)

// Exemption is what a person says of a site or handler.
type Exemption struct {
	Reason string
	Until  string   // last day; empty: without end
	Rules  []string // codes; none: the site's own, or those that complain of the handler
	By     string
}

// Exempt writes an exemption, or renews one. It refuses a reason that says
// nothing, and a site that needs none.
func Exempt(l *Ledger, scan *site.Scan, opt Options, target Key, x Exemption) (Ledger, error) {
	e := edit(l, scan, opt)
	a, err := e.target(target)
	if err != nil {
		return Ledger{}, err
	}
	if x.Rules == nil && a.Site.Kind == site.Handler {
		x.Rules = complaints(scan, a)
	}
	group := e.alike(&a.Site)
	others := slices.DeleteFunc(slices.Clone(group), func(b *Judged) bool { return b == a })
	open := e.open(a) || slices.ContainsFunc(others, func(b *Judged) bool { return b.How == Reshaped && b.Row.State == site.Exempt })
	if err := x.check(a, open, opt.Now); err != nil {
		return Ledger{}, err
	}
	e.settle()
	codes := slices.Clone(x.Rules)
	slices.Sort(codes)
	row := Row{
		Kind: a.Site.Kind, ID: a.Site.ID, Shape: a.Site.Shape, State: site.Exempt,
		Reason: strings.TrimSpace(x.Reason), By: x.By, Until: x.Until, Rule: strings.Join(slices.Compact(codes), ","),
	}
	if a.Row != nil {
		row.Tags = a.Row.Tags
		e.drop(a.Row.Key())
	}
	e.put(row)
	for _, b := range others {
		if b.How == Reshaped {
			e.adopt(*b.Row, b, "")
		}
	}
	e.pin(others)
	return e.ledger(), nil
}

// complaints are the codes of the findings about a handler.
func complaints(scan *site.Scan, a *Judged) (codes []string) {
	for _, f := range scan.Findings {
		if f.Site == a.Site.ID.String() && f.Shape == a.Site.Shape {
			codes = append(codes, f.Code)
		}
	}
	return codes
}

func (x Exemption) check(a *Judged, open bool, now time.Time) error {
	refuse := func(format string, args ...any) error {
		return &EditError{Site: a.Site.ID.String(), Text: fmt.Sprintf(format, args...)}
	}
	row := Row{State: site.Exempt, Reason: x.Reason, Until: x.Until}
	switch {
	case a.Site.Test:
		return refuse("it is in a test file, which is never gated")
	case a.Site.Kind != site.Handler && !a.Site.State.Fails() && len(x.Rules) == 0:
		return refuse("it is %s and needs no exemption", a.Site.State)
	case open:
		return &EditError{a.Site.ID.String(), "equal calls came or went in this function, and a row may mean any of them", []string{"trainvet ledger accept settles which, then exempt the others"}}
	case row.Problem() != "":
		return refuse("%s", row.Problem())
	case row.IsBaseline():
		return refuse("a reason that begins %q is written by trainvet ledger baseline", strings.TrimSpace(baselineMark))
	}
	if x.Until != "" {
		if _, err := time.Parse(time.DateOnly, x.Until); err != nil {
			return refuse("%q is no day; write it as 2027-06-30", x.Until)
		}
		if row.Expired(now) {
			return refuse("%s is over", x.Until)
		}
	}
	return x.checkRules(a, refuse)
}

func (x Exemption) checkRules(a *Judged, refuse func(string, ...any) error) error {
	codes := x.Rules
	if len(codes) == 0 {
		codes = []string{rules.Gate(a.Site.Kind)}
	}
	for _, code := range codes {
		rule, known := rules.Find(code)
		switch {
		case !known:
			return refuse("%s", unknownCode(code))
		case aboutLedger(code):
			return refuse("%s is about exemptions and cannot be exempt", code)
		case rule.Until && x.Until == "":
			return refuse("an exemption from %s needs an end", code)
		}
	}
	return nil
}
