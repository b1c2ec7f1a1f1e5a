package analyzers

import (
	"context"

	"github.com/trainvet/trainvet/analyzers/ledger"
	"github.com/trainvet/trainvet/analyzers/ledger/since"
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
	severities(tree.Scan.Findings)
	res := &Result{Tree: tree, Judgement: ledger.Judge(tree.Ledger, &tree.Scan, join.Ledger)}
	severities(res.Findings)
	fingerprints(tree.Root, res.Findings)
	return res, nil
}

// severities gives findings that name none that of their rule.
func severities(list []site.Finding) {
	for i := range list {
		if list[i].Severity != "" {
			continue
		}
		list[i].Severity = site.Error
		if r, ok := rules.Find(list[i].Code); ok {
			list[i].Severity = r.Severity
		}
	}
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
