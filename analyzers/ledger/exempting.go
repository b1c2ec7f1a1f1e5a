package ledger

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers/rules"
	"github.com/trainvet/trainvet/analyzers/site"
)

// warnDays is how long before its last day an exemption is called due: six
// weeks are a release cycle, and time to do the work.
const warnDays = 42

// Covers reports whether an exemption is from this rule. Without rule= it is
// from the site's own: what asks for a guard, and what says that a guard which
// stands there does not count.
func (r Row) Covers(code string) bool {
	if r.State != site.Exempt {
		return false
	}
	if r.Rule != "" {
		return slices.Contains(strings.Split(r.Rule, ","), code)
	}
	return r.Kind != site.Handler && (code == rules.Gate(r.Kind) || rules.Flaw(code, r.Kind))
}

// exempt takes out what rows exempt. A row that would and does not hold takes
// the place of its complaints.
func (j *join) exempt() {
	kept := j.open[:0]
	instead := map[*Row]*site.Finding{}
	var order []*Row
	for _, c := range j.open {
		if c.about == nil || c.about.Row == nil || c.fresh || !c.about.Row.Covers(c.Code) || c.test {
			kept = append(kept, c)
			continue
		}
		row := c.about.Row
		code, why := j.refuse(c)
		if code == "" {
			j.grant(c)
			continue
		}
		if instead[row] == nil {
			f := about(&c.about.Site, code, fmt.Sprintf("%s is not exempt from %s: %s", c.about.Site.ID.Callee, c.Code, why))
			f.Related = []site.Related{j.where(row)}
			instead[row] = &f
			order = append(order, row)
			j.reported[row] = true
		}
		instead[row].Related = append(instead[row].Related, site.Related{At: c.At, Message: c.Code + ": " + c.Message})
	}
	j.open = kept
	for _, row := range order {
		j.out.Findings = append(j.out.Findings, *instead[row])
	}
}

// where points at a row.
func (j *join) where(r *Row) site.Related {
	return site.Related{At: site.Position{File: j.opt.File, Line: r.Line}, Message: "the row: " + r.String()}
}

// refuse says why the exemption of a complaint does not hold; no code: it does.
func (j *join) refuse(c complaint) (code, why string) {
	row := c.about.Row
	days, ends := row.Left(j.opt.Now)
	switch rule, _ := rules.Find(c.Code); {
	case row.Problem() != "":
		return "TV903", row.Problem()
	case c.about.How == Reshaped:
		return "TV905", fmt.Sprintf("the call has changed since the exemption was written; read it again, then \"trainvet ledger accept %s\"", c.about.Site.ID)
	case c.about.How == Ambiguous:
		return "TV905", fmt.Sprintf("equal calls came or went in this function and the row may mean any of them; read them, then \"trainvet ledger accept %s\" for the one that is exempt", c.about.Site.ID)
	case row.Expired(j.opt.Now):
		return "TV904", "its last day was " + row.Until
	case rule.Until && !ends:
		return "TV904", fmt.Sprintf("an exemption from %s needs an end, until=YYYY-MM-DD", c.Code)
	case row.IsBaseline() && (!ends || days > MaxBaselineDays+1):
		return "TV904", fmt.Sprintf("a baseline ends within %d days", MaxBaselineDays)
	}
	return "", ""
}

// grant lets an exemption have its effect.
func (j *join) grant(c complaint) {
	row := c.about.Row
	c.about.State = site.Exempt
	if row.IsBaseline() {
		j.owe(c, row.Until)
		return
	}
	if days, ends := row.Left(j.opt.Now); ends && days <= warnDays && !j.reported[row] {
		j.reported[row] = true
		f := about(&c.about.Site, "TV904", fmt.Sprintf("the exemption of %s from %s ends on %s, %s; guard the site or renew the exemption", c.about.Site.ID.Callee, c.Code, row.Until, inDays(days)))
		f.Severity = site.Info // past the day it is an error: until then nothing fails
		f.Related = []site.Related{j.where(row)}
		j.out.Findings = append(j.out.Findings, f)
	}
}

// inDays says how far the last day is away; the last day itself counts as one.
func inDays(days int) string {
	switch days {
	case 1:
		return "today"
	case 2:
		return "tomorrow"
	}
	return fmt.Sprintf("in %d days", days-1)
}

func (j *join) owe(c complaint, until string) {
	j.out.Debt = append(j.out.Debt, Debt{Code: c.Code, At: c.At, Site: c.Site, Until: until})
}

// settle decides what is left: it is reported, or older than a revision that
// the caller asks about. What was guarded once, or stands in a row that says
// so, is no old debt.
func (j *join) settle() {
	for _, c := range j.open {
		switch {
		case c.test, c.gate && !j.gating:
		case j.old(c) && c.fresh:
		case j.old(c):
			j.owe(c, "")
		default:
			j.out.Findings = append(j.out.Findings, j.hinted(c))
		}
	}
}

// old reports whether a complaint is of a place older than the revision. Each
// end of a flow counts: an old handler may swallow what a new call raises.
func (j *join) old(c complaint) bool {
	if j.opt.New == nil {
		return false
	}
	if c.about != nil && c.about.Row != nil && c.gate && !c.about.Row.State.Fails() {
		return false
	}
	ask := []site.Site{{Kind: site.Handler, At: c.At, End: c.End}}
	if c.about != nil {
		ask = append(ask, c.about.Site)
	}
	for _, r := range c.Related {
		if lang(r.At.File) != "" {
			ask = append(ask, site.Site{Kind: site.Handler, At: r.At})
		}
	}
	return !slices.ContainsFunc(ask, j.opt.New)
}

// hinted adds the rows that may be a new site's, had they been told apart.
func (j *join) hinted(c complaint) site.Finding {
	f := c.Finding
	if c.about == nil || c.about.Row != nil {
		return f
	}
	k := Key{c.about.Site.Kind, c.about.Site.ID, c.about.Site.Shape}.group()
	for i := range j.rows {
		r := &j.rows[i]
		g := r.Key().group()
		switch {
		case j.matched[i]:
		case g.place() == k.place() && j.torn[i]:
			f.Related = append(f.Related, j.where(r))
		case g.anywhere() == k.anywhere() && !j.tree.whole && !j.tree.present(r.ID.Path):
			f.Related = append(f.Related, j.where(r))
		}
	}
	return f
}
