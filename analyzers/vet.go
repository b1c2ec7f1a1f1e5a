package analyzers

import (
	"context"
	"slices"

	"github.com/trainvet/trainvet/analyzers/ledger"
	"github.com/trainvet/trainvet/analyzers/ledger/since"
	"github.com/trainvet/trainvet/analyzers/python"
	"github.com/trainvet/trainvet/analyzers/rules"
	"github.com/trainvet/trainvet/analyzers/site"
)

// Result is a tree held against its ledger.
type Result struct {
	*Tree
	ledger.Judgement
}

// Join says how a tree is held against its ledger.
type Join struct {
	Ledger  ledger.Options
	NewFrom string // git revision; what is older fails nothing
}

// Vet runs the front ends over a tree and holds what they found against the
// ledger. The error is of the whole; what could not be looked at stands in the
// gaps.
func Vet(ctx context.Context, opt Options, join Join) (*Result, error) {
	tree, err := Scan(ctx, opt)
	if err != nil {
		return nil, err
	}
	if join.NewFrom != "" {
		lines, err := since.Load(ctx, tree.Root, join.NewFrom)
		if err != nil {
			return nil, err
		}
		join.Ledger.New = lines.New
	}
	join.Ledger.Ran = opt.Rules.On
	res := &Result{Tree: tree}
	severities(tree.Scan.Findings)
	res.Judgement = ledger.Judge(tree.Ledger, &tree.Scan, join.Ledger)
	for i := range tree.Nested {
		severities(tree.Nested[i].Scan.Findings)
		res.add(tree.Nested[i].judge(join.Ledger))
	}
	res.Findings = selected(res.Findings, &opt.Rules) // those that the ledger makes
	tree.bounds()
	site.Sort(res.Findings)
	slices.SortStableFunc(res.Sites, func(a, b ledger.Judged) int { return comparePlaces(a.Site.At, b.Site.At) })
	severities(res.Findings)
	fingerprints(tree.Root, res.Findings)
	return res, nil
}

// add joins the judgement of a part.
func (r *Result) add(part ledger.Judgement) {
	r.Findings = append(r.Findings, part.Findings...)
	r.Sites = append(r.Sites, part.Sites...)
	r.Handlers = append(r.Handlers, part.Handlers...)
	r.Stale = append(r.Stale, part.Stale...)
	r.Unknown = append(r.Unknown, part.Unknown...)
	r.Debt = append(r.Debt, part.Debt...)
}

// Units are all that were asked for, those with a ledger of their own too.
func (t *Tree) Units() []site.Unit {
	out := slices.Clone(t.Scan.Units)
	for i := range t.Nested {
		out = append(out, above(t.Nested[i].Folder).scan(t.Nested[i].Scan).Units...)
	}
	return out
}

// Inventory reports whether no ledger speaks of any of the tree.
func (t *Tree) Inventory() bool { return t.Ledger == nil && len(t.Nested) == 0 }

// severities gives findings that name none that of their rule.
func severities(list []site.Finding) {
	for i := range list {
		if list[i].Severity != "" {
			continue
		}
		list[i].Severity = site.Error
		if r, ok := rules.Find(list[i].Code); ok {
			list[i].Severity = r.SeverityFor(langOf(list[i].At.File))
		}
	}
}

// langOf is the language of a file, as rules name it.
func langOf(file string) string {
	if python.IsSource(file) {
		return "py"
	}
	return "go"
}

// selected keeps the findings of rules that run where they are. What an audit
// rule says is an inventory, and fails nothing.
func selected(list []site.Finding, s *rules.Selection) []site.Finding {
	var out []site.Finding
	for _, f := range list {
		if !s.On(f.Code, f.At.File) {
			continue
		}
		if r, ok := rules.Find(f.Code); ok && r.TierFor(langOf(f.At.File)) == site.Audit {
			f.Severity = site.Info
		}
		out = append(out, f)
	}
	return out
}

// Incomplete reports whether something was not looked at without which the
// ledger cannot be judged.
func (t *Tree) Incomplete() bool {
	for i := range t.Gaps {
		if t.Gaps[i].Matters {
			return true
		}
	}
	return false
}
