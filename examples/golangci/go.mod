module github.com/trainvet/trainvet/examples/golangci

go 1.26.0

require (
	github.com/golangci/plugin-module-register v0.1.2
	github.com/trainvet/trainvet v0.0.0
	golang.org/x/tools v0.51.0
)

replace (
	github.com/trainvet/trainvet => ../..
	github.com/trainvet/trainvet/guards => ../../guards
)
