package sites_test

import (
	"go/parser"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/trainvet/trainvet/analyzers/golang/sites"
	"github.com/trainvet/trainvet/analyzers/golang/stubtest"
)

func TestDirectives(t *testing.T) {
	t.Parallel()
	analysistest.Run(t, stubtest.Dir(t), sites.Analyzer, "directives")
}

func shape(t *testing.T, code string) string {
	t.Helper()
	e, err := parser.ParseExpr(code)
	require.NoError(t, err)
	return string(sites.Shape(e))
}

// TestShapeKeeps holds that the way in which a call is written does not count.
func TestShapeKeeps(t *testing.T) {
	t.Parallel()
	for _, same := range [][2]string{
		{"tok.Decode(ids)", "tok.Decode( ids )"},
		{"tok.Decode(ids)", "tok.Decode((ids))"},
		{"tok.Decode(ids)", "(tok.Decode)(ids)"},
		{"tok.Decode(ids)", "tok.Decode(\n\t\tids,\n\t)"},
		{"tok.Decode(ids, 16)", "tok.Decode(ids, 0x10)"},
		{"f(\"a\\n\")", "f(`a\n`)"},
		{"e.tok.Decode(ids)", "s.e.tok.Decode(ids)"}, // the last two parts count
		{"tok.Decode(ids /* of the answer */)", "tok.Decode(ids)"},
	} {
		require.Equal(t, shape(t, same[0]), shape(t, same[1]), "%q", same)
	}
}

// TestShapeTells holds that another call is another.
func TestShapeTells(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, code := range []string{
		"tok.Decode(ids)", "tok.Decode(ids[1:])", "tok.Decode(ids[:1])", "tok.Decode(ids[1])", "tok.Decode(id)", "tok.Decode(ids...)",
		"tok.Decode(ids, true)", "tok.Decode(ids, false)", "voc.Decode(ids)", "tok.DecodeErr(ids)", "tok.Decode(f(ids))", "tok.Decode(-ids)",
		"tok.Decode(a+b)", "tok.Decode(a-b)", "tok.Decode(ids, 1)", "tok.Decode(ids, 1.0)", "tok.Decode(ids, \"1\")", "tok.Decode(&ids)", "tok.Decode(*ids)",
		"tok.Decode(f(a), b)", "tok.Decode(f(a, b))",
	} {
		s := shape(t, code)
		require.Empty(t, seen[s], "%s and %s have one shape", code, seen[s])
		seen[s] = code
	}
}

func TestCallee(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"Decode(ids)": "Decode", "tok.Decode(ids)": "tok.Decode", "a.b.tok.Decode(ids)": "tok.Decode", "toks[3].Decode(ids)": "toks[].Decode",
		"get().Decode(ids)": "get().Decode", "a.get(1).Decode(ids)": "get().Decode", "(*T).Decode(t, ids)": "*T.Decode", "Decode[int](ids)": "Decode[]",
		"T{}.Decode(ids)": "T.Decode", "x.(T).Decode(ids)": "x.Decode", "func() {}()": "func", "tok.Decode": "tok.Decode",
	} {
		e, err := parser.ParseExpr(code)
		require.NoError(t, err)
		require.Equal(t, want, sites.Callee(e), code)
	}
}
