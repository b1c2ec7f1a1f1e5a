package follow

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// all reads what is there by now: bytes, and gaps as their kinds.
func all(t *testing.T, f *Follower) (text string, gaps []Kind) {
	t.Helper()
	for {
		e, ok, err := f.Ready()
		require.NoError(t, err)
		if !ok {
			return text, gaps
		}
		if e.Gap != nil {
			gaps = append(gaps, e.Gap.Kind)
		} else {
			text += string(e.Bytes)
		}
	}
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	require.NoError(t, err)
	_, err = f.WriteString(text)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

func TestAFileThatGrowsHasNoGap(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	appendTo(t, path, "one\n")
	f, err := Open(path, Options{})
	require.NoError(t, err)
	defer f.Close()
	for _, text := range []string{"one\n", "tw", "o\n", "three\n"} {
		if text != "one\n" {
			appendTo(t, path, text)
		}
		got, gaps := all(t, f)
		require.Equal(t, text, got)
		require.Empty(t, gaps)
	}
}
