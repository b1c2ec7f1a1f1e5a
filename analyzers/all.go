package analyzers

import (
	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/golang/unit"
)

// All returns the Go analyzers in a fixed order. They run under go vet, in
// gopls and in golangci-lint; each reads the ledger for itself there.
func All() []*analysis.Analyzer {
	return []*analysis.Analyzer{
		unit.Analyzer,
	}
}
