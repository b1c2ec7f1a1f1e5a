package analyzers

import (
	"context"

	"github.com/trainvet/trainvet/analyzers/ledger"
)

// Result is a tree held against its ledger.
type Result struct {
	*Tree
	ledger.Judgement
}

// Vet runs the front ends over a tree and holds what they found against the
// ledger. The error is of the whole; what could not be looked at stands in the
// gaps.
func Vet(ctx context.Context, opt Options, join ledger.Options) (*Result, error) {
	tree, err := Scan(ctx, opt)
	if err != nil {
		return nil, err
	}
	res := &Result{Tree: tree, Judgement: ledger.Judge(tree.Ledger, &tree.Scan, join)}
	fingerprints(tree.Root, res.Findings)
	return res, nil
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
