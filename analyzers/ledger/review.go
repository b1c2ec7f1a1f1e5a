package ledger

import (
	"fmt"
	"strings"

	"github.com/trainvet/trainvet/analyzers/site"
)

// review looks at the ledger itself: rows without a site, rows that say
// nothing, rows that lag behind.
func (j *join) review() {
	if !j.listed {
		return
	}
	for i := range j.rows {
		j.reviewRow(i)
	}
	for _, list := range [][]Judged{j.out.Sites, j.out.Handlers} {
		for i := range list {
			j.behind(&list[i])
		}
	}
}

func (j *join) reviewRow(i int) {
	r := &j.rows[i]
	if why := unreasoned(r); why != "" && !j.reported[r] && (j.matched[i] || j.tree.whole) {
		j.reported[r] = true
		j.row(r, "TV903", fmt.Sprintf("the exemption of %s says nothing: %s", r.ID.Callee, why))
	}
	switch {
	case j.matched[i]:
	case !j.proven(r):
		j.out.Unknown = append(j.out.Unknown, *r)
	default:
		j.out.Stale = append(j.out.Stale, *r)
		j.row(r, "TV902", j.staleText(i))
	}
}

// unreasoned says what a row leaves out.
func unreasoned(r *Row) string {
	if why := r.Problem(); why != "" {
		return why
	}
	if r.State == site.Exempt && r.Kind == site.Handler && r.Rule == "" {
		return "a row for a handler names the rule that it exempts from, rule=TV201"
	}
	return ""
}

// proven reports whether a row without a site has none: the whole tree was
// analysed, in the row's language, and by the rules that a handler's row is
// about.
func (j *join) proven(r *Row) bool {
	if !j.tree.whole || !j.langs[lang(r.ID.Path)] {
		return false
	}
	if r.Kind != site.Handler || r.Rule == "" {
		return true
	}
	for code := range strings.SplitSeq(r.Rule, ",") {
		if !j.ran(code, r.ID.Path) {
			return false
		}
	}
	return true
}

func (j *join) staleText(i int) string {
	r := &j.rows[i]
	switch {
	case j.torn[i]:
		return fmt.Sprintf("several calls of %s in %s have changed, and this row may mean any of them: read them, then \"trainvet ledger accept\" the one that is meant", r.ID.Callee, r.ID.Func)
	case r.Kind == site.Handler:
		return fmt.Sprintf("no rule complains of %s in %s any more: \"trainvet ledger update\" takes the row out", r.ID.Callee, r.ID.Func)
	}
	return fmt.Sprintf("no call of %s in %s belongs to this row any more: \"trainvet ledger update\" takes it out", r.ID.Callee, r.ID.Func)
}

// row makes a finding at a row of the ledger.
func (j *join) row(r *Row, code, text string) {
	f := site.Finding{
		Code: code, Severity: severity(code), Message: text, At: site.Position{File: j.opt.File, Line: r.Line},
		Site: r.ID.String(), Shape: r.Shape,
	}
	f.Fingerprint = site.Fingerprint(code, f.Site, string(f.Shape), r.ID.Ordinal)
	j.out.Findings = append(j.out.Findings, f)
}

// behind reports a row that fits and names its site in old words.
func (j *join) behind(a *Judged) {
	if a.Row == nil || a.Site.Test || j.reported[a.Row] {
		return
	}
	var text string
	switch a.How {
	case Moved:
		text = fmt.Sprintf("%s has come from %s and keeps its row", a.Site.ID.Callee, a.Row.ID.Path)
	case Reshaped:
		text = fmt.Sprintf("the call of %s has changed since its row was written", a.Site.ID.Callee)
	default:
		return
	}
	f := about(&a.Site, "TV908", text+": run \"trainvet ledger update\" and commit the row")
	f.Related = []site.Related{j.where(a.Row)}
	j.out.Findings = append(j.out.Findings, f)
}
