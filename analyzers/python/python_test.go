package python

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/site"
)

// TestTree lists what a tree that is not here holds: TRAINVET_TREE names it.
func TestTree(t *testing.T) {
	dir := os.Getenv("TRAINVET_TREE")
	if dir == "" {
		t.Skip("TRAINVET_TREE is not set: it names a tree of Python to list")
	}
	res, err := Scan(context.Background(), Options{Root: dir, Folders: []string{dir}})
	require.NoError(t, err)
	count := map[string]int{}
	for _, s := range res.Sites {
		where := "src"
		switch {
		case s.At.Cell > 0:
			where = "notebook"
		case s.Test:
			where = "test"
		}
		count[string(s.Kind)+" "+where]++
		if os.Getenv("TRAINVET_LIST") != "" {
			fmt.Printf("%s\t%s\t%s\t%s:%d:%d cell %d\t%s\t%s\t%s\n", s.Kind, s.State, s.ID, s.At.File, s.At.Line, s.At.Column, s.At.Cell, s.Origin, s.By, s.Shape)
		}
	}
	for _, u := range res.Units {
		if u.Problem != "" {
			t.Logf("unanalysed %s:%d: %s", u.Name, u.At.Line, u.Problem)
		}
	}
	for _, p := range res.Possible {
		if os.Getenv("TRAINVET_LIST") != "" {
			fmt.Printf("possible\t%s:%d\t%s\t%s\n", p.At.File, p.At.Line, p.Name, p.Why)
		}
	}
	t.Logf("%+v %v, %d in doubt", res.Stats, count, len(res.Possible))
	_ = site.Decode
}
