package marker

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files")

// Which markers fire where in the cases; read with the log beside it.
func TestCasesGolden(t *testing.T) {
	t.Parallel()
	c := load(t)
	files, err := filepath.Glob("../../testdata/cases/*/log.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var got strings.Builder
	for _, f := range files {
		b, err := os.ReadFile(f)
		require.NoError(t, err)
		got.WriteString(table(c, filepath.Base(filepath.Dir(f)), string(b)))
	}
	const golden = "testdata/cases.golden"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got.String())
}

// table lists the matches of a log: case, line, id, class, scope, what else.
func table(c *Catalog, name, log string) string {
	var out strings.Builder
	lines := strings.Split(log, "\n")
	for i, l := range lines {
		prev := strings.Join(lines[max(0, i-2):i], "\n")
		for _, m := range c.Match([]byte(l), []byte(prev), Context{}) {
			fmt.Fprintf(&out, "%s:%d\t%s\t%s\t%s", name, i+1, m.Def.ID, m.Class, m.Scope)
			if len(m.Attrs) > 0 {
				fmt.Fprintf(&out, "\t%v", m.Attrs)
			}
			if m.Lines > 0 {
				fmt.Fprintf(&out, "\twrapped over %d lines", m.Lines+1)
			}
			if m.Quoted != "" {
				fmt.Fprintf(&out, "\tquoted: %s", m.Quoted)
			}
			out.WriteString("\n")
		}
	}
	return out.String()
}
