package driver

import (
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers/site"
)

// collection joins the answers of all runs: the same file is analysed once per
// set of tags, and by its test variants.
type collection struct {
	Result
	included map[string]bool
	sites    map[placeOfSite]int
	findings map[placeOfFinding]bool
	ignores  map[site.Position]bool
}

type placeOfSite struct {
	kind site.Kind
	at   site.Position
}

type placeOfFinding struct {
	code, message string
	at            site.Position
}

func (c *collection) add(o *outcome) {
	if c.included == nil {
		c.included, c.sites = map[string]bool{}, map[placeOfSite]int{}
		c.findings, c.ignores = map[placeOfFinding]bool{}, map[site.Position]bool{}
	}
	for _, a := range o.answers {
		c.answer(a)
	}
	c.Units = append(c.Units, o.units...)
	c.Excluded = append(c.Excluded, o.excluded...)
	for _, f := range o.included {
		c.included[f] = true
	}
}

func (c *collection) answer(a *answer) {
	for _, s := range a.sites {
		c.site(s)
	}
	for _, f := range a.findings {
		key := placeOfFinding{f.Code, f.Message, f.At}
		if !c.findings[key] {
			c.findings[key] = true
			c.Findings = append(c.Findings, f)
		}
	}
	for _, ig := range a.ignores {
		if !c.ignores[ig.At] {
			c.ignores[ig.At] = true
			c.Ignores = append(c.Ignores, ig)
		}
	}
}

// site keeps the worst state that a place has under any set of tags.
func (c *collection) site(s site.Site) {
	key := placeOfSite{s.Kind, s.At}
	i, ok := c.sites[key]
	if !ok {
		c.sites[key] = len(c.Sites)
		c.Sites = append(c.Sites, s)
		return
	}
	order := site.States(s.Kind)
	if slices.Index(order, s.State) > slices.Index(order, c.Sites[i].State) {
		c.Sites[i] = s
	}
}

func (c *collection) result(names func(string) bool) *Result {
	out := &c.Result
	out.Excluded = slices.DeleteFunc(out.Excluded, func(f string) bool { return c.included[f] || strings.HasSuffix(f, "_test.go") })
	slices.Sort(out.Excluded)
	out.Excluded = slices.Compact(out.Excluded)
	slices.SortStableFunc(out.Units, func(a, b site.Unit) int { return strings.Compare(a.Name, b.Name) })
	site.Sort(out.Findings)
	slices.SortStableFunc(out.Sites, func(a, b site.Site) int { return comparePositions(a.At, b.At) })
	slices.SortStableFunc(out.Ignores, func(a, b site.Ignore) int { return comparePositions(a.At, b.At) })
	for i := range out.Units {
		if u := &out.Units[i]; u.Problem != "" {
			out.Possible = append(out.Possible, possible(u.Name, u.Files, names)...)
		}
	}
	out.Possible = append(out.Possible, possible("", out.Excluded, names)...)
	return out
}
