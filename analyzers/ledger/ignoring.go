package ledger

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trainvet/trainvet/analyzers/rules"
	"github.com/trainvet/trainvet/analyzers/site"
	"github.com/trainvet/trainvet/internal/nearest"
)

// IgnoreProblem says why an inline exemption does not hold, and the code of
// the rule about such; no code: it holds.
func IgnoreProblem(ig site.Ignore, now time.Time) (code, why string) {
	if code, why = ignoreGrammar(ig); code != "" {
		return code, why
	}
	row := Row{State: site.Exempt, Reason: ig.Reason, Until: ig.Until}
	if why := row.Problem(); why != "" {
		return "TV903", why
	}
	if row.Expired(now) {
		return "TV904", "its last day was " + ig.Until
	}
	for _, c := range ig.Codes {
		if rule, _ := rules.Find(c); rule.Until && ig.Until == "" {
			return "TV904", fmt.Sprintf("an exemption from %s needs an end, until=YYYY-MM-DD before the reason", c)
		}
	}
	return "", ""
}

// ignoreGrammar is the part that does not depend on the day.
func ignoreGrammar(ig site.Ignore) (code, why string) {
	switch {
	case ig.Problem != "":
		return "TV907", ig.Problem
	case len(ig.Codes) == 0:
		return "TV907", "it names no code: write the code, then the reason"
	}
	for _, c := range ig.Codes {
		rule, known := rules.Find(c)
		switch {
		case !known:
			return "TV907", unknownCode(c)
		case aboutLedger(c):
			return "TV907", c + " is about exemptions and cannot be exempt"
		case !slices.Contains(rule.Langs, lang(ig.At.File)) && lang(ig.At.File) != "":
			return "TV907", fmt.Sprintf("%s is a rule for %s and never fires here", c, strings.Join(rule.Langs, ", "))
		}
	}
	if ig.Until != "" {
		if _, err := time.Parse(time.DateOnly, ig.Until); err != nil {
			return "TV907", fmt.Sprintf("until=%.40s is no day; write it as 2027-06-30", ig.Until)
		}
	}
	return "", ""
}

// aboutLedger reports whether a code judges rows and exemptions, not code.
func aboutLedger(code string) bool { return strings.HasPrefix(code, "TV9") && code != "TV901" }

func unknownCode(code string) string {
	var all []string
	for _, r := range rules.All() {
		all = append(all, r.Code)
	}
	text := fmt.Sprintf("there is no rule %.40s", code)
	if near := nearest.Word(code, all); near != "" {
		text += ", did you mean " + near
	}
	return text
}

// ignore takes out what comments exempt, and reports the comments that are
// wrong or for nothing.
func (j *join) ignore() {
	needed := make([]map[string]bool, len(j.scan.Ignores))
	holds := make([]bool, len(j.scan.Ignores))
	for i, ig := range j.scan.Ignores {
		needed[i] = map[string]bool{}
		code, why := IgnoreProblem(ig, j.opt.Now)
		holds[i] = code == ""
		if !holds[i] {
			j.comment(ig, code, "this comment exempts nothing: "+why)
		}
	}
	kept := j.open[:0]
	for _, c := range j.open {
		hit := false
		for i, ig := range j.scan.Ignores {
			if code := ignoreCode(ig, c); holds[i] && code != "" {
				hit, needed[i][code] = true, true
			}
		}
		switch {
		case !hit:
			kept = append(kept, c)
		case c.about != nil && c.gate && !c.fresh:
			c.about.State = site.Exempt
		}
	}
	j.open = kept
	for i, ig := range j.scan.Ignores {
		if holds[i] {
			j.unused(ig, needed[i])
		}
	}
}

// unused reports the codes of a comment that nothing needed, where that is
// proven: the rule ran, and every finding of the file is known.
func (j *join) unused(ig site.Ignore, needed map[string]bool) {
	for _, code := range ig.Codes {
		if !needed[code] && j.scan.Partial == "" && j.ran(code, ig.At.File) && j.tree.present(ig.At.File) && !j.broken[ig.At.File] {
			j.comment(ig, "TV906", fmt.Sprintf("this comment exempts from %s, and no finding needs it: delete it before it hides one", code))
		}
	}
	if left, ends := (Row{Until: ig.Until}).Left(j.opt.Now); ends && left <= warnDays && len(needed) > 0 {
		f := j.comment(ig, "TV904", fmt.Sprintf("this exemption ends on %s, %s", ig.Until, inDays(left)))
		f.Severity = site.Info
	}
}

// ran reports whether a rule looked at a file.
func (j *join) ran(code, file string) bool {
	rule, ok := rules.Find(code)
	l := lang(file)
	if !ok || !j.langs[l] || !slices.Contains(rule.Langs, l) {
		return false
	}
	if j.opt.Ran != nil {
		return j.opt.Ran(code, file)
	}
	return rule.TierFor(l) == site.Core
}

func (j *join) comment(ig site.Ignore, code, text string) *site.Finding {
	f := site.Finding{Code: code, Severity: severity(code), Message: text, At: ig.At}
	f.Fingerprint = site.Fingerprint(code, ig.At.File, strings.Join(ig.Codes, ",")+" "+ig.Reason, 1)
	j.out.Findings = append(j.out.Findings, f)
	return &j.out.Findings[len(j.out.Findings)-1]
}

// ignoreCode returns the code by which a comment exempts a complaint; empty: it
// does not. One for the missing guard is also one for a guard that stands there
// and does not count.
func ignoreCode(ig site.Ignore, c complaint) string {
	if ig.At.File != c.At.File || ig.At.Cell != c.At.Cell || c.At.Line < ig.From || c.At.Line > ig.To {
		return ""
	}
	for _, code := range ig.Codes {
		if code == c.Code {
			return code
		}
	}
	if c.about == nil || c.about.Site.Kind == site.Handler {
		return ""
	}
	k := c.about.Site.Kind
	for _, code := range ig.Codes {
		if code == rules.Gate(k) && rules.Flaw(c.Code, k) {
			return code
		}
	}
	return ""
}
