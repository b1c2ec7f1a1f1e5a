package analyzers

import (
	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers/golang/basevocab"
	"github.com/trainvet/trainvet/analyzers/golang/faultbymessage"
	"github.com/trainvet/trainvet/analyzers/golang/faultdropped"
	"github.com/trainvet/trainvet/analyzers/golang/faultwraplost"
	"github.com/trainvet/trainvet/analyzers/golang/hiddendecodeerror"
	"github.com/trainvet/trainvet/analyzers/golang/lateguard"
	"github.com/trainvet/trainvet/analyzers/golang/ledgergate"
	"github.com/trainvet/trainvet/analyzers/golang/metricbeforeaudit"
	"github.com/trainvet/trainvet/analyzers/golang/nanclip"
	"github.com/trainvet/trainvet/analyzers/golang/nancompare"
	"github.com/trainvet/trainvet/analyzers/golang/narrowedids"
	"github.com/trainvet/trainvet/analyzers/golang/pipewaitrace"
	"github.com/trainvet/trainvet/analyzers/golang/recoverswallows"
	"github.com/trainvet/trainvet/analyzers/golang/steperror"
	"github.com/trainvet/trainvet/analyzers/golang/supervisorkill"
	"github.com/trainvet/trainvet/analyzers/golang/trainerstderr"
	"github.com/trainvet/trainvet/analyzers/golang/unit"
	"github.com/trainvet/trainvet/analyzers/golang/zerograd"
)

// All returns the Go analyzers in a fixed order. They run under go vet, in
// gopls and in golangci-lint; each reads the ledger for itself there.
func All() []*analysis.Analyzer {
	return []*analysis.Analyzer{
		unit.Analyzer,
		ledgergate.Analyzer,
		basevocab.Analyzer,
		lateguard.Analyzer,
		narrowedids.Analyzer,
		hiddendecodeerror.Analyzer,
		faultdropped.Analyzer,
		faultbymessage.Analyzer,
		trainerstderr.Analyzer,
		nancompare.Analyzer,
		faultwraplost.Analyzer,
		recoverswallows.Analyzer,
		pipewaitrace.Analyzer,
		steperror.Analyzer,
		nanclip.Analyzer,
		zerograd.Analyzer,
		supervisorkill.Analyzer,
		metricbeforeaudit.Analyzer,
	}
}
