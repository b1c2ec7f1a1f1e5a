package watch

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func watched(t *testing.T) (string, *Watcher, func() Change) {
	t.Helper()
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "pkg", ".git"), 0o755))
	w, err := New(Options{
		Root: root, Skip: func(name string) bool { return name == ".git" },
		Reads: func(name string) bool { return strings.HasSuffix(name, ".py") },
	})
	require.NoError(t, err)
	t.Cleanup(func() { w.Close() })
	return root, w, func() Change {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		c, err := w.Next(ctx)
		require.NoError(t, err)
		return c
	}
}

func write(t *testing.T, root, name string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(root, filepath.FromSlash(name)), []byte(name), 0o600))
}

func TestNext(t *testing.T) {
	t.Parallel()
	root, w, next := watched(t)
	write(t, root, "notes.txt")
	write(t, root, "pkg/.git/hook.py")
	write(t, root, "pkg/b.py")
	write(t, root, "a.py")
	require.Equal(t, Change{Files: []string{"a.py", "pkg/b.py"}}, next(), "one stretch, and only what is read")

	require.NoError(t, os.Rename(filepath.Join(root, "a.py"), filepath.Join(root, "c.py")))
	require.Equal(t, Change{Files: []string{"a.py", "c.py"}}, next())
	require.NoError(t, os.Remove(filepath.Join(root, "c.py")))
	require.Equal(t, Change{Files: []string{"c.py"}}, next())
	require.Empty(t, w.Unwatched())
}

func TestNextNewFolder(t *testing.T) {
	t.Parallel()
	root, _, next := watched(t)
	away := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(away, "new", "deep"), 0o755))
	write(t, away, "new/deep/x.py")
	require.NoError(t, os.Rename(filepath.Join(away, "new"), filepath.Join(root, "new")))
	require.Equal(t, Change{Files: []string{"new/deep/x.py"}}, next(), "it was there before the folder was watched")
	write(t, root, "new/deep/y.py")
	require.Equal(t, Change{Files: []string{"new/deep/y.py"}}, next())
}

func TestNextEnds(t *testing.T) {
	t.Parallel()
	_, w, _ := watched(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := w.Next(ctx)
	require.ErrorIs(t, err, context.Canceled)
}

func TestNewWithoutFolder(t *testing.T) {
	t.Parallel()
	_, err := New(Options{Root: filepath.Join(t.TempDir(), "none")})
	require.Error(t, err)
}
