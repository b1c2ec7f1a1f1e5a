package analyzers

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/trainvet/trainvet/analyzers/ledger"
	"github.com/trainvet/trainvet/analyzers/site"
)

func write(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
}

func decodeIn(file string, state site.State) site.Site {
	at := site.Position{File: file, Line: 3, Column: 2}
	return site.Site{Kind: site.Decode, ID: site.ID{Path: file, Func: "f", Callee: "t.Decode", Ordinal: 1}, Shape: "0000000a", State: state, At: at, End: at}
}

// TestPartsHaveTheirOwnLedger: each part of a tree answers to the nearest
// ledger above it, as it does when it is analysed alone.
func TestPartsHaveTheirOwnLedger(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	row := "decode a.go::f::t.Decode @0000000a guarded\n"
	write(t, filepath.Join(top, "svc", LedgerName), ledger.Header+"\n"+row)
	write(t, filepath.Join(top, "svc", "deep", "er", LedgerName), ledger.Header+"\n")
	tree := &Tree{Root: top, Scan: site.Scan{Root: top}}
	for _, f := range []string{"main.go", "svc/a.go", "svc/deep/er/b.go", "svcother/c.go"} {
		tree.Scan.Sites = append(tree.Scan.Sites, decodeIn(f, site.Guarded))
		tree.Scan.Units = append(tree.Scan.Units, site.Unit{Name: f, Files: []string{f}})
		tree.Scan.Ignores = append(tree.Scan.Ignores, site.Ignore{At: site.Position{File: f, Line: 9}, From: 9, To: 9, Codes: []string{"TV101"}, Reason: "a reason that is long enough"})
	}
	require.NoError(t, tree.split(covering{top, nil}))
	require.Len(t, tree.Nested, 2)
	require.Equal(t, "svc/deep/er", tree.Nested[0].Folder)
	require.Len(t, tree.Scan.Sites, 2)
	require.Equal(t, "b.go::f::t.Decode", tree.Nested[0].Scan.Sites[0].ID.String())
	require.Equal(t, "a.go", tree.Nested[1].Scan.Units[0].Files[0])
	require.Len(t, tree.Units(), 4)
	require.False(t, tree.Inventory())

	svc := tree.Nested[1].judge(ledger.Options{Now: time.Now(), Ran: func(string, string) bool { return false }})
	require.Empty(t, svc.Findings)
	require.Equal(t, "svc/a.go", svc.Sites[0].Site.At.File)
	deep := tree.Nested[0].judge(ledger.Options{Now: time.Now(), Ran: func(string, string) bool { return false }})
	require.Len(t, deep.Findings, 1)
	require.Equal(t, "svc/deep/er/b.go", deep.Findings[0].At.File)
	require.Equal(t, "svc/deep/er/b.go::f::t.Decode", deep.Findings[0].Site)
	tree.unledgered()
	require.Equal(t, "sites without a ledger above them: 2", tree.Gaps[0].What)
}

func TestPartial(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dir      string
		patterns []string
		root     string
		whole    bool
	}{
		{"/r", nil, "/r", true}, {"/r", []string{"./..."}, "/r", true}, {"/r", []string{"..."}, "/r", true}, {"/", []string{"/r/..."}, "/r", true},
		{"/r", []string{"."}, "/r", false}, {"/r/sub", nil, "/r", false}, {"/r", []string{"./sub/..."}, "/r", false},
		{"/r", []string{"./sub/..."}, "/r/sub/deep", true}, {"/r", []string{"./sub/..."}, "/r/subway", false}, {"/r", []string{"ex.com/..."}, "/r", false},
	} {
		require.Equal(t, c.whole, covering{c.dir, c.patterns}.partial(c.root) == "", "%+v", c)
	}
}

func TestRootIsTheNearestLedger(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	write(t, filepath.Join(top, ".git", "HEAD"), "")
	write(t, filepath.Join(top, "m", "go.mod"), "module m")
	write(t, filepath.Join(top, "m", "l", LedgerName), ledger.Header)
	write(t, filepath.Join(top, "m", "l", "x", "y.go"), "")
	require.Equal(t, filepath.Join(top, "m", "l"), Root(filepath.Join(top, "m", "l", "x")))
	require.Equal(t, top, Root(filepath.Join(top, "m")), "no ledger: the work tree")
	alone := t.TempDir()
	write(t, filepath.Join(alone, "go.mod"), "module m")
	write(t, filepath.Join(alone, "sub", "x.go"), "")
	require.Equal(t, alone, Root(filepath.Join(alone, "sub")))
}

func TestFingerprintsSurviveEditsElsewhere(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	list := func(line int, text string) []site.Finding {
		write(t, filepath.Join(top, "a.go"), text)
		out := []site.Finding{
			{Code: "TV208", At: site.Position{File: "a.go", Line: line, Column: 2}, End: site.Position{File: "a.go", Line: line, Column: 9}},
			{Code: "TV208", At: site.Position{File: "a.go", Line: line + 1, Column: 2}, End: site.Position{File: "a.go", Line: line + 1, Column: 9}},
			{Code: "TV209", Site: "a.go::f::x", Shape: "00000000"}, {Code: "TV209", Site: "a.go::f::x", Shape: "00000000", Fingerprint: "kept"},
		}
		fingerprints(top, out)
		return out
	}
	before := list(1, "\ta  <  b\n\ta  <  b\n")
	after := list(3, "// more\n\n\ta  <  b\n\ta  <  b\n")
	for i := range before {
		require.NotEmpty(t, before[i].Fingerprint)
		require.Equal(t, before[i].Fingerprint, after[i].Fingerprint)
	}
	require.NotEqual(t, before[0].Fingerprint, before[1].Fingerprint)
	require.Equal(t, "kept", before[3].Fingerprint)
}
