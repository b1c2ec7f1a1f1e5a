package guarded

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/python/fixture"
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/sites"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// analyse computes the states of a source.
func analyse(t *testing.T, src []byte, use func(tree *syntax.Tree, s *sites.Site, st State)) {
	file := syntax.Parse(src)
	require.True(t, file.Valid(), file.Errors)
	var table names.Table
	table.Build(&file.Tree)
	a := New()
	a.Guards = map[string][]Guard{"declared_guard": {{IDs: 1}}}
	a.Reset(&file.Tree, &table)
	found := sites.NewFinder().Find(&file.Tree, &table)
	for i := range found.Sites {
		use(&file.Tree, &found.Sites[i], a.State(&found.Sites[i]))
	}
}

// TestStates says of each site its state and why.
func TestStates(t *testing.T) {
	t.Parallel()
	fixture.Run(t, "testdata/states", func(t *testing.T, _ string, src []byte) []fixture.Got {
		var out []fixture.Got
		analyse(t, src, func(tree *syntax.Tree, s *sites.Site, st State) {
			require.True(t, st.State.Fits(s.Kind))
			out = append(out, fixture.Got{Line: tree.Pos(s.Call).Line, Text: fmt.Sprintf("%s: %s", st.State, st.Why)})
		})
		return out
	})
}

// TestHandlers says of each handler what it does with a fault.
func TestHandlers(t *testing.T) {
	t.Parallel()
	fixture.Run(t, "testdata/handlers", func(t *testing.T, _ string, src []byte) []fixture.Got {
		var out []fixture.Got
		analyse(t, src, func(tree *syntax.Tree, _ *sites.Site, st State) {
			for _, h := range st.Handlers {
				text := "passes: "
				if h.Lost {
					text = "loses: "
				}
				if !h.Direct {
					text = "caller " + text
				}
				out = append(out, fixture.Got{Line: tree.Pos(h.At).Line, Text: text + h.Func + " " + h.Message})
			}
		})
		return out
	})
}
