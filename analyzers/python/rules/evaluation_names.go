package rules

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

//go:embed evaluation.tsv
var evaluationRows string

// evaluationNames are read once and never change.
var evaluationNames = sync.OnceValue(func() *catalog.Py {
	p, err := catalog.ParseNames("evaluation.tsv", evaluationRows)
	if err != nil {
		panic(err) // embedded, and read by a test
	}
	return p
})

// named reports whether a name is of a list of evaluation.tsv.
func named(list, name string) bool {
	return evaluationNames().List(list).Has(strings.ToLower(strings.TrimLeft(name, "_")))
}

// ofEvaluation reports whether a name speaks of data that a model is judged by.
func ofEvaluation(name string) bool { return named("eval-data", name) && !named("train-data", name) }

// chainOf is a.b.c without spaces, or empty where an expression is no chain of
// names.
func chainOf(t *syntax.Tree, n syntax.Node) string {
	switch t.Kind(n) {
	case syntax.Name:
		return string(t.Name(n))
	case syntax.Attribute:
		if head := chainOf(t, t.First(n)); head != "" {
			return head + "." + string(t.Name(n))
		}
	}
	return ""
}
