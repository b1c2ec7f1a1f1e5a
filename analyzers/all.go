package analyzers

import (
	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/golang/faultbymessage"
	"github.com/trainvet/trainvet/analyzers/golang/faultdropped"
	"github.com/trainvet/trainvet/analyzers/golang/faultwraplost"
	"github.com/trainvet/trainvet/analyzers/golang/metricbeforeaudit"
	"github.com/trainvet/trainvet/analyzers/golang/nancompare"
	"github.com/trainvet/trainvet/analyzers/golang/pipewaitrace"
	"github.com/trainvet/trainvet/analyzers/golang/recoverswallows"
	"github.com/trainvet/trainvet/analyzers/golang/supervisorkill"
	"github.com/trainvet/trainvet/analyzers/golang/trainerstderr"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
)

// All returns the Go analyzers in a fixed order. They run under go vet, in
// gopls and in golangci-lint; each reads the ledger for itself there.
func All() []*analysis.Analyzer {
	return []*analysis.Analyzer{
		unit.Analyzer,
		faultdropped.Analyzer,
		faultbymessage.Analyzer,
		trainerstderr.Analyzer,
		nancompare.Analyzer,
		faultwraplost.Analyzer,
		recoverswallows.Analyzer,
		pipewaitrace.Analyzer,
		supervisorkill.Analyzer,
		metricbeforeaudit.Analyzer,
	}
}
