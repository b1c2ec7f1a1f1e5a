// Package golangci makes trainvet's Go analyzers a linter of golangci-lint, by
// its system of module plugins. It is a module of its own, so that golangci's
// requirement does not become one of trainvet's; copy it, or name it in
// .custom-gcl.yml as the file beside this one does:
//
//	golangci-lint custom    # builds bin/golangci-lint with the plugin in it
//	bin/golangci-lint run
//
// The analyzers then read the ledger themselves, package by package. That a
// row has become stale only trainvet vet can tell, which sees the whole tree.
package golangci

import (
	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/trainvet/trainvet/analyzers"
)

// init is how golangci-lint finds a plugin.
func init() { register.Plugin("trainvet", New) }

// New makes the linter. It takes no settings.
func New(any) (register.LinterPlugin, error) { return linter{}, nil }

type linter struct{}

// BuildAnalyzers returns all Go analyzers.
func (linter) BuildAnalyzers() ([]*analysis.Analyzer, error) { return analyzers.All(), nil }

// GetLoadMode says that the analyzers need types.
func (linter) GetLoadMode() string { return register.LoadModeTypesInfo }
