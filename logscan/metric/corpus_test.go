package metric

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestExamples holds what is read of one example line of every known format.
func TestExamples(t *testing.T) {
	t.Parallel()
	corpus(t, "testdata/examples")
}

// TestFrameworks does the same for frameworks whose lines need no row of their own.
func TestFrameworks(t *testing.T) {
	t.Parallel()
	corpus(t, "testdata/frameworks")
}

func corpus(t *testing.T, path string) {
	c := load(t)
	var b strings.Builder
	for _, s := range sections(t, path+".txt") {
		b.WriteString("### " + s.name + "\n" + render(read(t, c, s.text)))
	}
	golden(t, path+".golden", b.String())
}

// TestCases holds every record that is read of the real cases.
func TestCases(t *testing.T) {
	t.Parallel()
	c := load(t)
	logs, err := filepath.Glob("../../testdata/cases/*/log.txt")
	require.NoError(t, err)
	require.NotEmpty(t, logs)
	var b strings.Builder
	for _, p := range logs {
		raw, err := os.ReadFile(p)
		require.NoError(t, err)
		b.WriteString("### " + filepath.Base(filepath.Dir(p)) + "\n" + ends(render(read(t, c, string(raw)))))
	}
	golden(t, "testdata/cases.golden", b.String())
}

// ends keeps the two ends of what is read of a long log, and says how much it leaves out.
func ends(text string) string {
	const most, first, last = 150, 60, 30
	lines := strings.SplitAfter(text, "\n")
	if len(lines) <= most {
		return text
	}
	left := fmt.Sprintf("... %d lines\n", len(lines)-first-last)
	return strings.Join(lines[:first], "") + left + strings.Join(lines[len(lines)-last:], "")
}

// TestHealthyLinesHoldNoMetric: a false metric is as grave as a missed one.
func TestHealthyLinesHoldNoMetric(t *testing.T) {
	t.Parallel()
	c := load(t)
	raw, err := os.ReadFile("testdata/healthy.txt")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimRight(string(raw), "\n"), "\n")
	require.Greater(t, len(lines), 150)
	for _, line := range lines {
		if recs := read(t, c, line+"\n"); len(recs) > 0 {
			t.Errorf("%s\nwas read as\n%s", line, render(recs))
		}
	}
	if recs := read(t, c, string(raw)); len(recs) > 0 {
		t.Errorf("the whole file was read as\n%s", render(recs))
	}
}

// TestSelectors: every metric that a case's expectation names is found, at its step.
func TestSelectors(t *testing.T) {
	t.Parallel()
	c := load(t)
	tables, err := filepath.Glob("../../testdata/cases/*/expected.tsv")
	require.NoError(t, err)
	for _, p := range tables {
		raw, err := os.ReadFile(filepath.Join(filepath.Dir(p), "log.txt"))
		if errors.Is(err, fs.ErrNotExist) {
			continue // a case of several files
		}
		require.NoError(t, err)
		recs := read(t, c, string(raw))
		want, err := os.ReadFile(p)
		require.NoError(t, err)
		for _, row := range strings.Split(string(want), "\n") {
			cells := strings.Split(row, "\t")
			if cells[0] != "metric" {
				continue
			}
			names, at, _ := strings.Cut(selectorName(cells[1]), "\x00")
			for _, name := range strings.Split(names, ",") {
				if !found(recs, name, at) {
					t.Errorf("%s: nothing for %s of %s in\n%s", p, name, cells[1], render(recs))
				}
			}
		}
	}
}

// selectorName cuts a selector at its last @ that a counter follows: hit@1 is a name.
func selectorName(sel string) string {
	i := strings.LastIndexByte(sel, '@')
	if i < 0 || strings.HasSuffix(sel[:i], "hit") || sel == "acc@1" {
		return sel + "\x00"
	}
	return sel[:i] + "\x00" + sel[i+1:]
}

func found(recs []Record, name, at string) bool {
	first, _, _ := strings.Cut(at, "..")
	named := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(name), `\*`, ".*") + "$")
	for i := range recs {
		r := &recs[i]
		for j := range r.Fields {
			if !named.MatchString(r.Fields[j].Name) {
				continue
			}
			switch epoch, ok := strings.CutPrefix(first, "epoch:"); {
			case first == "", first == "last", strings.HasPrefix(first, "#"):
				return true
			case ok && r.Epoch.Has && number(r.Epoch.Value) == epoch, r.Step.Has && number(r.Step.Value) == first:
				return true
			}
		}
	}
	return false
}
