package machine

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// why is what is known against a file.
func why(k *Tainted, path, digest string, size int64, changed time.Time) string {
	text, doubt := k.Find(path, digest, size, changed)
	if doubt {
		text += " in doubt"
	}
	return text
}

func TestTaintedFiles(t *testing.T) {
	t.Parallel()
	s := Open(t.TempDir())
	known, err := s.Tainted()
	require.NoError(t, err)
	require.Empty(t, why(known, "/a", "d1", 1, day(1)))

	bad := TaintedFile{Path: "/out/model.pt", Digest: "d1", Size: 10, Changed: day(3), Run: "r1", Why: "xid-48"}
	large := TaintedFile{Path: "/out/large.pt", Size: 99, Changed: day(3), Run: "r1", Why: "xid-48"}
	require.NoError(t, s.TaintFiles([]TaintedFile{bad, large}))
	require.NoError(t, s.TaintFiles([]TaintedFile{bad}))
	known, err = s.Tainted()
	require.NoError(t, err)
	require.Len(t, known.Files, 2)
	require.Equal(t, "run r1 (xid-48)", why(known, "/elsewhere/copy.pt", "d1", 10, day(9)), "a copy is the same file")
	require.Empty(t, why(known, "/out/model.pt", "d2", 10, day(3)), "written again since")
	require.NotEmpty(t, why(known, "/out/large.pt", "", 99, day(3)), "one that was too large for a digest")
	require.NotEmpty(t, why(known, "/out/large.pt", "d9", 99, day(3)))
	require.Empty(t, why(known, "/out/large.pt", "d9", 99, day(4)))

	bad.Digest, bad.Doubt = "d7", true
	require.NoError(t, s.TaintFiles([]TaintedFile{bad}))
	known, err = s.Tainted()
	require.NoError(t, err)
	require.Equal(t, "run r1 (xid-48) in doubt", why(known, "/x", "d7", 10, day(3)))

	all, err := s.All()
	require.NoError(t, err)
	require.Empty(t, all, "the list is no state of a device")
}

func TestADamagedListIsNotAnEmptyOne(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := Open(dir)
	for _, text := range []string{"", "{", `{"version":9}`} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, artifactsFile), []byte(text), 0o600))
		_, err := s.Tainted()
		require.Error(t, err)
	}
	require.NoError(t, s.TaintFiles([]TaintedFile{{Path: "/a", Run: "r"}}))
	require.FileExists(t, filepath.Join(dir, artifactsFile+".damaged"))
	known, err := s.Tainted()
	require.NoError(t, err)
	require.Len(t, known.Files, 1)
}
