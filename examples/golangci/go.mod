module github.com/trainvet/trainvet/examples/golangci

go 1.26.0

require (
	github.com/golangci/plugin-module-register v0.1.2
	github.com/trainvet/trainvet v0.0.0
	golang.org/x/tools v0.51.0
)

require (
	github.com/sourcegraph/conc v0.3.0 // indirect
	go.uber.org/atomic v1.7.0 // indirect
	go.uber.org/multierr v1.9.0 // indirect
)

replace (
	github.com/trainvet/trainvet => ../..
	github.com/trainvet/trainvet/guards => ../../guards
)
