package stubtest

import (
	"embed"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"testing"
)

//go:embed all:testdata/src
var stubs embed.FS

// Dir returns a GOPATH with the stand-ins and the packages of the caller's
// testdata/src.
func Dir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, from := range []fs.FS{sub(t, stubs, "testdata"), os.DirFS("testdata")} {
		if err := copyTree(dir, from); err != nil {
			t.Fatalf("laying out the fixtures: %v", err)
		}
	}
	return dir
}

func sub(t *testing.T, from fs.FS, dir string) fs.FS {
	t.Helper()
	out, err := fs.Sub(from, dir)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func copyTree(to string, from fs.FS) error {
	return fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		at := filepath.Join(to, filepath.FromSlash(path.Clean(name)))
		if d.IsDir() {
			return os.MkdirAll(at, 0o755)
		}
		text, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		return os.WriteFile(at, text, 0o644)
	})
}
