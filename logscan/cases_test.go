package logscan_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/logscan"
	"github.com/trainvet/trainvet/logscan/verdict"
)

const casesDir = "../testdata/cases"

// expectation is a row of expected.tsv.
type expectation struct{ kind, selector, verdict, reason string }

func readExpected(t *testing.T, path string) []expectation {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = '\t', true, 4
	rows, err := r.ReadAll()
	require.NoError(t, err, path)
	var out []expectation
	for _, row := range rows[1:] {
		out = append(out, expectation{row[0], row[1], row[2], row[3]})
	}
	require.NotEmpty(t, out, path)
	return out
}

// caseInputs is every file of the case that is no description.
func caseInputs(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var out []string
	for _, e := range entries {
		if e.Name() != "about.txt" && e.Name() != "expected.tsv" {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out
}

func TestCases(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob(filepath.Join(casesDir, "*", "expected.tsv"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(dirs), 65)
	for _, path := range dirs {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			res, _, err := logscan.Audit(t.Context(), caseInputs(t, dir), nil, logscan.Options{All: true})
			require.NoError(t, err)
			for _, want := range readExpected(t, path) {
				checkExpectation(t, res, want)
			}
		})
	}
}

func checkExpectation(t *testing.T, res *verdict.Result, want expectation) {
	t.Helper()
	switch want.kind {
	case "run":
		require.Equal(t, want.verdict, res.Run.Verdict.String(), "run: %v", res.Run.Why)
	case "metric":
		checkSubjects(t, res.Values, want)
	case "artifact":
		checkSubjects(t, res.Artifacts, want)
	default:
		t.Fatalf("kind %q", want.kind)
	}
}

func checkSubjects(t *testing.T, subjects []verdict.Subject, want expectation) {
	t.Helper()
	names := map[string]bool{}
	for _, s := range subjects {
		names[s.Name] = true
	}
	sel, err := verdict.ParseSelector(want.selector, func(n string) bool { return names[n] })
	require.NoError(t, err)
	chosen := sel.Select(subjects)
	if len(chosen) == 0 {
		t.Errorf("%s: no such value among %s", want.selector, listed(subjects))
	}
	for _, s := range chosen {
		if s.Verdict.String() != want.verdict {
			t.Errorf("%s: %s %s at %s:%d is %v, want %s (%s): %v", want.selector, s.Name, s.Text, s.At.Source, s.At.Line, s.Verdict, want.verdict, want.reason, s.Why)
		}
	}
	for _, name := range sel.Missing(chosen) {
		t.Errorf("%s: no value of %s among %s", want.selector, name, listed(subjects))
	}
}

func listed(subjects []verdict.Subject) string {
	var b strings.Builder
	for _, s := range subjects {
		b.WriteString(s.Name + "=" + s.Text + " ")
	}
	return b.String()
}
