package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/site"
)

var findingsSources = map[string]string{
	"eval.go": "package eval\n\nfunc label(ids []int) string {\n\ttext := tok.Decode(ids) // 損失\n\tif err := f(); err != nil {\n\t\treturn \"\"\n\t}\n\treturn text\n}\n",
	"wide.go": "package wide\n\nvar 損失, s = g(\"損失\"), tok.Decode(ids)\n",
	"evil.go": "package evil\n\n\x1b[2J\u202e = tok.Decode(ids)\n" + strings.Repeat("x", 300) + " = tok.Decode(ids)\n",
}

func findingsSource(file string) ([]byte, error) {
	text, ok := findingsSources[file]
	if !ok {
		return nil, errors.New("it is gone")
	}
	return []byte(text), nil
}

func spot(file string, line, column int) site.Position {
	return site.Position{File: file, Line: line, Column: column}
}

// vettedTree has something of everything.
func vettedTree() *Vetted {
	decode := site.Site{Kind: site.Decode, ID: site.ID{Path: "eval.go", Func: "label", Callee: "tok.Decode", Ordinal: 1}, Shape: "9f3c11ab", State: site.Unguarded, At: spot("eval.go", 4, 10), End: spot("eval.go", 4, 25), By: "signature", Why: "no guard stands before it"}
	guarded := decode
	guarded.ID.Func, guarded.State, guarded.At, guarded.End = "other", site.Guarded, spot("gen.go", 9, 2), spot("gen.go", 9, 12)
	test := decode
	test.Test, test.At = true, spot("eval_test.go", 3, 2)
	finding := site.Finding{
		Code: "TV201", Severity: site.Error, Message: "a fault raised at tok.Decode does not leave this branch: the file counts as one failed item and the run exits 0",
		At: decode.At, End: decode.End, Site: decode.ID.String(), Shape: decode.Shape,
		Related: []site.Related{{At: spot("eval.go", 5, 5), Message: "the branch that drops it"}},
		Fixes: []site.Fix{
			{Message: "return the error", Safe: true, Edits: []site.Edit{{File: "eval.go", Start: 97, End: 106, New: "return \"\", err"}}},
			{Message: "hand it to the caller as a panic", Edits: []site.Edit{{File: "eval.go", Start: 97, End: 97, New: "panic(err)\n"}}},
		},
		Fingerprint: "00112233445566778899aabbccddeeff",
	}
	wide := site.Finding{Code: "TV112", Severity: site.Warning, Message: "ids are narrowed before the guard", At: spot("wide.go", 3, 30), End: spot("wide.go", 3, 45), Fingerprint: "10112233445566778899aabbccddeeff"}
	info := site.Finding{Code: "TV904", Severity: site.Info, Message: "the exemption ends on 2027-06-30", At: site.Position{File: "trainvet.ledger", Line: 7}, Fingerprint: "20112233445566778899aabbccddeeff"}
	notebook := site.Finding{Code: "TV101", Severity: site.Error, Message: "ids reach batch_decode unchecked", At: site.Position{File: "a b/nb.ipynb", Line: 2, Column: 1, Cell: 3}, Fingerprint: "30112233445566778899aabbccddeeff"}
	return &Vetted{
		Root: ".", Findings: []site.Finding{notebook, finding, info, wide},
		Sites: []ListedSite{
			{Site: decode, Name: decode.ID.String(), Counts: site.Unguarded, How: "new"},
			{Site: test, Name: "eval_test.go::f::tok.Decode", Counts: site.Unguarded, How: "new"},
			{Site: guarded, Name: guarded.ID.String(), Counts: site.Guarded, Row: "decode eval.go::other::tok.Decode @9f3c11ab guarded", How: "same"},
		},
		Debt:    []Owed{{Code: "TV101", At: spot("old.go", 8, 2), Site: "old.go::f::tok.Decode", Until: "2027-03-01"}, {Code: "TV305", At: spot("old.go", 9, 2)}},
		Stale:   []string{"decode gone.go::f::tok.Decode @00000000 guarded"},
		Unknown: []string{"decode bad.go::f::tok.Decode @00000000 guarded"},
		Units:   []site.Unit{{Name: "ex.com/eval", Files: []string{"eval.go", "gen.go"}, Generated: []string{"gen.go"}}, {Name: "ex.com/bad", Files: []string{"bad.go"}, Problem: "undefined: tok", At: spot("bad.go", 3, 7)}},
		Gaps: []site.Gap{
			{What: "ex.com/bad", Why: "undefined: tok", At: spot("bad.go", 3, 7), Unanalysed: true, Matters: true, Names: []string{"bad.go:3: Decode"}},
			{What: "ex.com/test", Why: "undefined: x", Unanalysed: true},
			{What: "2 Go files", Why: "their build constraints leave them out", Names: []string{"a_cuda.go", "b_cuda.go"}},
		},
		Rules: []RuleOfFinding{
			{Code: "TV101", Name: "unguarded-decode", Severity: site.Error, Flags: "A decode whose ids pass no guard.", Matters: "An impossible id is dropped. The text scores as a bad model."},
			{Code: "TV112", Name: "narrowed-ids", Severity: site.Warning, Flags: "Ids that are narrowed before the guard."},
			{Code: "TV201", Name: "fault-dropped", Severity: site.Error, Flags: "A handler that drops a fault."},
			{Code: "TV904", Name: "exemption-ends", Severity: site.Info, Flags: "An exemption that ends."},
		},
		Source: findingsSource,
	}
}

func hostileTree() *Vetted {
	const evil = "\x1b[31m\n::error::x\u202e##[group]%0A<&\">"
	return &Vetted{
		Findings: []site.Finding{
			{Code: "TV1", Severity: site.Error, Message: evil, At: spot("evil.go", 3, 11), End: spot("evil.go", 3, 21), Related: []site.Related{{At: spot(evil, 1, 1), Message: evil}}},
			{Code: "TV1", Severity: site.Error, Message: "far to the right", At: spot("evil.go", 4, 304), End: spot("evil.go", 4, 319)},
			{Code: "TV1", Severity: site.Error, Message: "behind the end", At: spot("evil.go", 3, 3000), End: spot("evil.go", 3, 4000)},
			{Code: "TV1", Severity: site.Error, Message: "behind the last line", At: spot("evil.go", 3000, 1)},
			{Code: "TV1", Severity: site.Warning, Message: "gone", At: spot("/out/side of it.go", 1, 1)},
		},
		Gaps:   []site.Gap{{What: evil, Why: evil, Unanalysed: true, Matters: true, Names: []string{evil}}},
		Source: findingsSource,
	}
}

func printedFindings(t *testing.T, format string, o Options, v *Vetted) string {
	t.Helper()
	p, err := NewFindings(format, o)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, p.Findings(&b, v))
	return b.String()
}

func cleanTree() *Vetted {
	v := vettedTree()
	return &Vetted{Root: ".", Complete: true, Sites: v.Sites[2:], Units: v.Units[:1]}
}

func TestFindingsGolden(t *testing.T) {
	t.Parallel()
	inventory := vettedTree()
	inventory.Inventory, inventory.Findings, inventory.Rules, inventory.Complete = true, nil, nil, true
	for name, v := range map[string]*Vetted{"findings": vettedTree(), "findings-clean": cleanTree(), "findings-inventory": inventory, "findings-hostile": hostileTree()} {
		for _, f := range FindingsFormats() {
			golden(t, name+"."+f.Name, printedFindings(t, f.Name, Options{}, v))
		}
	}
	golden(t, "findings.verbose.text", printedFindings(t, "text", Options{Verbose: true}, vettedTree()))
	golden(t, "findings.quiet.text", printedFindings(t, "text", Options{Quiet: true}, vettedTree()))
	golden(t, "findings.60-color.text", printedFindings(t, "text", Options{Width: 60, Color: true}, vettedTree()))
}

// TestFindingsHoldNothingHostile: whatever stands in source, names or
// messages, what is printed is printable, and no line is a command.
func TestFindingsHoldNothingHostile(t *testing.T) {
	t.Parallel()
	for _, f := range FindingsFormats() {
		out := printedFindings(t, f.Name, Options{}, hostileTree())
		for _, r := range out {
			require.True(t, r == '\n' || unicode.IsPrint(r), "%s: %U", f.Name, r)
		}
		for line := range strings.Lines(out) {
			if f.Name == "github" {
				line = strings.TrimPrefix(strings.TrimPrefix(line, "::error "), "::warning ")
				line = strings.TrimPrefix(line, "file=")
			}
			require.False(t, strings.HasPrefix(strings.TrimLeft(line, " "), "::"), "%s: %s", f.Name, line)
		}
	}
	require.NoError(t, xml.Unmarshal([]byte(printedFindings(t, "junit", Options{}, hostileTree())), new(junitSuites)))
	for _, format := range []string{"json", "sarif"} {
		require.True(t, json.Valid([]byte(printedFindings(t, format, Options{}, hostileTree()))), format)
	}
}

func TestCaretStandsBelow(t *testing.T) {
	t.Parallel()
	s := newSnippets(findingsSource)
	for _, c := range []struct {
		at, end     site.Position
		line, marks string
	}{
		{spot("eval.go", 4, 10), spot("eval.go", 4, 25), "text := tok.Decode(ids) // 損失", "        ^~~~~~~~~~~~~~~"},
		{spot("wide.go", 3, 30), spot("wide.go", 3, 45), "var 損失, s = g(\"損失\"), tok.Decode(ids)", "                         ^~~~~~~~~~~~~~~"},
		{spot("evil.go", 3, 11), spot("evil.go", 3, 21), `\x1b[2J\u202e = tok.Decode(ids)`, "                ^~~~~~~~~~"},
		{spot("eval.go", 5, 2), spot("eval.go", 7, 2), "if err := f(); err != nil {", "^~~~~~~~~~~~~~~~~~~~~~~~~~~"},
		{spot("eval.go", 5, 0), site.Position{}, "if err := f(); err != nil {", ""},
		{spot("eval.go", 99, 1), site.Position{}, "", ""},
	} {
		line, marks := s.of(c.at, c.end)
		require.Equal(t, c.line, line)
		require.Equal(t, c.marks, marks)
	}
	line, marks := s.of(spot("evil.go", 4, 304), spot("evil.go", 4, 319))
	require.Equal(t, "…tok.Decode(ids)", line)
	require.Equal(t, " ^~~~~~~~~~~~~~~", marks)
}

// TestSarifIsValid asks Microsoft's validator where it is installed; each
// warning of it counts, its notes do not.
func TestSarifIsValid(t *testing.T) {
	t.Parallel()
	tool, err := exec.LookPath("sarif-multitool")
	if err != nil {
		t.Skip("sarif-multitool is not installed: npm install -g @microsoft/sarif-multitool")
	}
	for name, v := range map[string]*Vetted{"findings": vettedTree(), "clean": cleanTree(), "hostile": hostileTree()} {
		file := filepath.Join(t.TempDir(), name+".sarif")
		require.NoError(t, writeFile(file, printedFindings(t, "sarif", Options{}, v)))
		out, err := exec.Command(tool, "validate", file).CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.NotContains(t, string(out), ": error ")
		require.NotContains(t, string(out), ": warning ")
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestFindingsSayThatTheyCouldNotBeWritten(t *testing.T) {
	t.Parallel()
	for _, f := range FindingsFormats() {
		require.ErrorIs(t, f.New(Options{}).Findings(failingWriter{}, vettedTree()), io.ErrClosedPipe, f.Name)
	}
	_, err := NewFindings("yaml", Options{})
	var unknown *UnknownFormatError
	require.ErrorAs(t, err, &unknown)
}

func writeFile(name, text string) error { return os.WriteFile(name, []byte(text), 0o644) }
