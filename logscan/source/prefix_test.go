package source

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Golden: every line of testdata/prefix/*.txt with what was read from it.
// UPDATE=1 writes them anew.
func TestPrefixFamilies(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/prefix/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			raw, err := os.ReadFile(file)
			require.NoError(t, err)
			st := Sniff(raw, Options{})
			var out strings.Builder
			fmt.Fprintf(&out, "style label=%s journal=%t dayfirst=%t year=%d\n", st.Label, st.Journal, st.DayFirst, st.Year)
			lines := bufio.NewScanner(strings.NewReader(string(raw)))
			for lines.Scan() {
				p, rest := st.Prefix(Clean(lines.Bytes(), nil))
				fmt.Fprintf(&out, "%s\n    %q\n", showPrefix(p), rest)
			}
			golden := strings.TrimSuffix(file, ".txt") + ".golden"
			if os.Getenv("UPDATE") != "" {
				require.NoError(t, os.WriteFile(golden, []byte(out.String()), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), out.String())
		})
	}
}

func showPrefix(p Prefix) string {
	var b strings.Builder
	b.WriteString("-")
	if p.Clock == "monotonic" {
		fmt.Fprintf(&b, " mono=%v", time.Duration(p.Time))
	} else if p.Time != 0 {
		fmt.Fprintf(&b, " %s", time.Unix(0, p.Time).UTC().Format("2006-01-02T15:04:05.999999999"))
		if p.Zone {
			b.WriteString("Z")
		}
		if p.NoYear {
			b.WriteString(" no-year")
		}
		fmt.Fprintf(&b, " res=%v", time.Duration(p.Resolution))
	}
	if p.Level != 0 {
		fmt.Fprintf(&b, " level=%c", p.Level)
	}
	if p.Rank != noRank {
		fmt.Fprintf(&b, " rank=%d", p.Rank)
	}
	if p.Pid != 0 {
		fmt.Fprintf(&b, " pid=%d", p.Pid)
	}
	for _, s := range [...][2]string{{"host", p.Host}, {"stream", p.Stream}, {"logger", p.Logger}} {
		if s[1] != "" {
			fmt.Fprintf(&b, " %s=%s", s[0], s[1])
		}
	}
	if p.Kernel {
		b.WriteString(" kernel")
	}
	if p.Partial {
		b.WriteString(" partial")
	}
	return b.String()
}

// A pass reads the prefixes of every record: that must cost no memory.
func TestPrefixesAreReadWithoutAllocation(t *testing.T) {
	var st Style
	for _, text := range []string{
		"{'loss': 1.2, 'epoch': 0.1}", "2026-01-02 10:11:12,123 | INFO | step 3", " [2026-08-01 00:00:01.482913] iteration        1/ 9500000",
	} {
		line := []byte(text)
		n := testing.AllocsPerRun(100, func() { st.Prefix(line) })
		require.Zero(t, n, text)
	}
}
