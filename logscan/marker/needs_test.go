package marker

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What an expression matches always holds what it needs.
func TestNeedsHoldInEveryMatch(t *testing.T) {
	t.Parallel()
	c := load(t)
	lines := tsvLines(t, "testdata/positive.tsv")
	for _, d := range c.defs {
		e, ok := d.test.(*expression)
		if !ok {
			continue
		}
		re, n := e.compile(), e.needs()
		for _, l := range lines {
			for _, text := range []string{l[1], strings.ToUpper(l[1]), "loss nan " + l[1] + " inf"} {
				if re.MatchString(text) {
					require.True(t, n.hold([]byte(text)), "%s: %s", d.ID, text)
				}
			}
		}
	}
}

func TestNeedsOf(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string][][][]string{
		`(?i)\bSkipped (?:the )?step\b.{0,60}\bnan\b`: {{{"skipped step", "skipped the step"}, {"nan"}}},
		`abc\d+def|ghi`:          {{{"abc"}, {"def"}}, {{"ghi"}}},
		`(?:abc\w*|def) x{2,}yz`: {{{"abc"}}, {{"def "}}},
		`abc|\d+`:                nil,
		`.*`:                     nil,
	} {
		var got [][][]string
		for _, lists := range needsOf(expr) {
			var texts [][]string
			for _, list := range lists {
				var one []string
				for _, w := range list {
					one = append(one, w.text)
				}
				texts = append(texts, one)
			}
			got = append(got, texts)
		}
		require.Equal(t, want, got, expr)
	}
	n := needsOf(`overflow.*skipped step|abc.*def`)
	require.True(t, n.hold([]byte("OVERFLOW: skipped STEP")))
	require.False(t, n.hold([]byte("skipped step, no overflow, def abc")))
}

// BenchmarkMatchCounters is a healthy line in which an anchor stands all the time.
func BenchmarkMatchCounters(b *testing.B) {
	c := load(b)
	line := []byte(" [2026-08-01 10:34:56.123456] iteration     1234/ 9500000 | consumed samples:       315904 | elapsed time per iteration (ms): 1234.5 | learning rate: 1.234567e-05 | global batch size:   256 | lm loss: 2.131771E+00 | loss scale: 65536.0 | grad norm: 0.142 | num zeros: 0 | params norm: 1234.567 | number of skipped iterations:   0 | number of nan iterations:   0 |")
	b.ReportAllocs()
	for b.Loop() {
		c.Match(line, nil, Context{})
	}
}
