package python

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFolders(t *testing.T) {
	t.Parallel()
	dir, _ := tree(t, map[string]string{"a/b/c.py": "x", "d.py": "x"})
	f := &folders{root: dir, seen: map[string]map[string]fs.FileMode{}}
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Symlink("a", filepath.Join(dir, "link")))
	}
	for name, want := range map[string][2]bool{
		".": {false, true}, "a": {false, true}, "a/b": {false, true}, "a/b/c.py": {true, false}, "d.py": {true, false},
		"d.py/x": {}, "none": {}, "none/x/y.py": {}, "..": {}, "../x": {}, "a/./b/c.py": {true, false},
		filepath.ToSlash(filepath.Join(dir, "d.py")): {true, false}, filepath.ToSlash(filepath.Join(dir, "none.py")): {},
	} {
		file, folder := f.has(name)
		require.Equal(t, want, [2]bool{file, folder}, name)
	}
	if runtime.GOOS != "windows" {
		file, _ := f.has("link/b/c.py")
		require.True(t, file)
	}
}
