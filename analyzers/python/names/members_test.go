package names

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMembers(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"see(A)":                                  "A",
		"see((A, b.C))":                           "A b.C",
		"e = (A, B)\nsee(e)":                      "e A B",
		"e = (A,)\ne = (B,)\nsee(e)":              "e A B",
		"e = (A,)\nf = (B, *e)\nsee((f, C))":      "f B e A C",
		"e = (A,) + (B,)\nsee(e)":                 "e A B",
		"e = (A,)\ne = e + (B,)\nsee(e)":          "e A e B",
		"e = (A, *e)\nsee(e)":                     "e A e",
		"e = (A, f)\nf = (B, e)\nsee(e)":          "e A f B e",
		"e, f = (A, B)\nsee(e)":                   "e",
		"def g(e=(A,)):\n    see(e)":              "e",
		"e = make()\nsee((e, A if B else C, []))": "e A if B else C []",
	} {
		tree, table := build(src)
		var got []string
		for n := range table.Members(use(t, tree)) {
			got = append(got, string(tree.Source(n)))
		}
		require.Equal(t, want, strings.Join(got, " "), src)
	}
}
