package marker

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Lines of healthy logs, source code, documentation and samples hold no event,
// whatever words are in them.
func TestHealthyLinesHoldNoEvent(t *testing.T) {
	t.Parallel()
	c := load(t)
	b, err := os.ReadFile("testdata/healthy.txt")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimRight(string(b), "\n"), "\n")
	require.GreaterOrEqual(t, len(lines), 300)
	for i, l := range lines {
		var prev []byte
		if i > 1 {
			prev = []byte(lines[i-2] + "\n" + lines[i-1])
		}
		for _, p := range [][]byte{nil, prev} {
			if got := events(c.Match([]byte(l), p, Context{})); len(got) > 0 {
				t.Errorf("healthy.txt:%d: %v (prev %t)\n\t%s", i+1, got, p != nil, l)
			}
		}
	}
}

// The same line, quoted in any of the usual ways, is no event.
func TestQuotedLinesAreNoEvents(t *testing.T) {
	t.Parallel()
	c := load(t)
	esc := func(s string) string { q := strconv.Quote(s); return q[1 : len(q)-1] }
	ways := map[string]func(s string) string{
		"raise":   func(s string) string { return `        raise RuntimeError("` + esc(s) + `")` },
		"print":   func(s string) string { return `    print("` + esc(s) + `")` },
		"logger":  func(s string) string { return `logger.error("` + esc(s) + `", step)` },
		"comment": func(s string) string { return "# " + s },
		"c":       func(s string) string { return "  // " + s },
		"quote":   func(s string) string { return "> " + s },
		"sample":  func(s string) string { return `{"prompt": "` + esc(s) + `", "reward": 0.5}` },
		"list":    func(s string) string { return `markers: ["` + esc(s) + `", "other"]` },
		"grep":    func(s string) string { return `$ grep -c "` + esc(s) + `" train.log` },
		"found":   func(s string) string { return "run/train.log:17: " + s },
		"own":     func(s string) string { return "trainvet: " + s },
		"diff":    func(s string) string { return `+    raise ValueError("` + esc(s) + `")` },
		"item":    func(s string) string { return "- " + s },
		"user":    func(s string) string { return "User: " + s },
	}
	for _, p := range tsvLines(t, "testdata/positive.tsv") {
		if strings.TrimSpace(p[1]) != p[1] {
			continue
		}
		for way, wrap := range ways {
			if got := events(c.Match([]byte(wrap(p[1])), nil, Context{})); len(got) > 0 {
				t.Errorf("%s: %v\n\t%s", way, got, wrap(p[1]))
			}
		}
		if got := events(c.Match([]byte(p[1]), nil, Context{Document: true})); len(got) > 0 {
			t.Errorf("document: %v\n\t%s", got, p[1])
		}
		echo := fmt.Sprintf("    %s", p[1])
		if got := events(c.Match([]byte(echo), []byte(`  File "train.py", line 3, in step`), Context{})); len(got) > 0 {
			t.Errorf("source echo: %v\n\t%s", got, echo)
		}
	}
}
