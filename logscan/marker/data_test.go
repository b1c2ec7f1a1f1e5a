package marker

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func load(t testing.TB) *Catalog {
	t.Helper()
	c, err := Load()
	require.NoError(t, err)
	return c
}

// tsvLines reads id and line of a test table.
func tsvLines(t *testing.T, file string) [][2]string {
	t.Helper()
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	var out [][2]string
	for i, l := range strings.Split(strings.TrimRight(string(b), "\n"), "\n") {
		if i == 0 {
			continue
		}
		id, line, ok := strings.Cut(l, "\t")
		require.True(t, ok, "row %d", i+1)
		out = append(out, [2]string{id, line})
	}
	return out
}

func events(ms []Match) []string {
	var ids []string
	for _, m := range ms {
		if m.Quoted == "" {
			ids = append(ids, m.Def.ID)
		}
	}
	return ids
}

// Every row has a line that it matches as an event, and that line holds an
// anchor, so the filter sees it.
func TestEveryRowMatchesItsLine(t *testing.T) {
	t.Parallel()
	c := load(t)
	seen := make(map[string]bool)
	for _, p := range tsvLines(t, "testdata/positive.tsv") {
		id, line := p[0], p[1]
		require.NotNil(t, c.Def(id), id)
		seen[id] = true
		if got := events(c.Match([]byte(line), nil, Context{})); !contains(got, id) {
			t.Errorf("%s: events %v, quotes %v\n\t%s", id, got, quoted(c.Match([]byte(line), nil, Context{})), line)
		}
		if !holdsAnchor("\n"+strings.ToLower(line)+"\n", c.Def(id).Anchors) {
			t.Errorf("%s: the line holds none of its anchors", id)
		}
	}
	for _, d := range c.All() {
		if !seen[d.ID] {
			t.Errorf("%s: no line in testdata/positive.tsv", d.ID)
		}
	}
}

// Real events in the dresses that are easily taken for quotations.
func TestEventsAreNotTakenForQuotations(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, p := range tsvLines(t, "testdata/events.tsv") {
		ms := c.Match([]byte(p[1]), nil, Context{})
		if !contains(events(ms), p[0]) {
			t.Errorf("%s: events %v, quotes %v\n\t%s", p[0], events(ms), quoted(ms), p[1])
		}
	}
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

func quoted(ms []Match) map[string]string {
	out := make(map[string]string)
	for _, m := range ms {
		if m.Quoted != "" {
			out[m.Def.ID] = m.Quoted
		}
	}
	return out
}
