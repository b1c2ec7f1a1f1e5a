package driver

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// tree writes files below a fresh folder; an empty text is a Go file of the
// package that its folder names.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for name, text := range files {
		at := filepath.Join(top, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o755))
		require.NoError(t, os.WriteFile(at, []byte(text), 0o644))
	}
	return top
}

func TestPlan(t *testing.T) {
	t.Parallel()
	top := tree(t, map[string]string{
		"go.mod": "module a", "x/x.go": "package x", "sub/go.mod": "module b", "sub/y/y.go": "package y",
		"vendor/v/go.mod": "module v", "testdata/z/go.mod": "module z", "node_modules/n/go.mod": "module n", ".git/go.mod": "module g",
		"file.txt": "",
	})
	at := func(parts ...string) string { return filepath.Join(append([]string{top}, parts...)...) }
	for name, c := range map[string]struct {
		dir      string
		patterns []string
		want     []job
	}{
		"all":                 {top, nil, []job{{dir: top, patterns: []string{"./..."}}, {dir: at("sub"), patterns: []string{"./..."}}}},
		"one folder":          {top, []string{"./x"}, []job{{dir: top, patterns: []string{"./x"}}}},
		"the folder itself":   {at("x"), []string{"."}, []job{{dir: top, patterns: []string{"./x"}}}},
		"the module's folder": {top, []string{"."}, []job{{dir: top, patterns: []string{"."}}}},
		"from below":          {at("x"), []string{"../sub/..."}, []job{{dir: at("sub"), patterns: []string{"./..."}}}},
		"absolute":            {"/", []string{at("sub", "y")}, []job{{dir: at("sub"), patterns: []string{"./y"}}}},
		"without ./":          {top, []string{"sub/..."}, []job{{dir: at("sub"), patterns: []string{"./..."}}}},
		"import path":         {at("x"), []string{"a/x"}, []job{{dir: top, patterns: []string{"a/x"}}}},
		"two of one module":   {top, []string{"./x", "."}, []job{{dir: top, patterns: []string{"./x", "."}}}},
		"testdata by name":    {top, []string{"./testdata/..."}, []job{{dir: top, patterns: []string{"./testdata/..."}}, {dir: at("testdata", "z"), patterns: []string{"./..."}}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := plan(c.dir, c.patterns)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
	for pattern, want := range map[string]string{"./absent": "no such folder", "./absent/...": "no such folder", "./file.txt": "name the folder", "file.txt": "name the folder"} {
		_, err := plan(top, []string{pattern})
		var wrong *PatternError
		require.ErrorAs(t, err, &wrong, pattern)
		require.Contains(t, err.Error(), want)
	}
	bare := tree(t, map[string]string{"a.py": ""})
	got, err := plan(bare, nil)
	require.NoError(t, err)
	require.Empty(t, got, "no Go module: nothing to do for Go")
	_, err = plan(bare, []string{"ex.com/a"})
	require.ErrorContains(t, err, "there a go.mod above")
	_, err = plan(bare, []string{"absent.py"})
	require.ErrorContains(t, err, "no such file or folder")
}
