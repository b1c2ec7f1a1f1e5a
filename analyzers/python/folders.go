package python

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"
)

// folders knows what lies in the folders below a root. Each is listed once:
// imports ask for many names that are not there.
type folders struct {
	root string
	mu   sync.Mutex
	seen map[string]map[string]fs.FileMode // nil: no folder
}

// has reports whether a name, slash separated from the root, is a regular file
// or a folder.
func (f *folders) has(name string) (file, dir bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	m, ok := f.mode(path.Clean(name))
	return ok && m.IsRegular(), ok && m.IsDir()
}

func (f *folders) mode(name string) (fs.FileMode, bool) {
	switch {
	case name == ".":
		return fs.ModeDir, true
	case path.IsAbs(name): // a file that was named, outside of the root
		return stat(filepath.FromSlash(name))
	}
	m, ok := f.list(path.Dir(name))[path.Base(name)]
	if ok && m&fs.ModeSymlink != 0 {
		return stat(filepath.Join(f.root, filepath.FromSlash(name)))
	}
	return m, ok
}

func stat(name string) (fs.FileMode, bool) {
	info, err := os.Stat(name)
	if err != nil {
		return 0, false
	}
	return info.Mode(), true
}

// list gives what lies in a folder; nil: there is none.
func (f *folders) list(dir string) map[string]fs.FileMode {
	if names, ok := f.seen[dir]; ok {
		return names
	}
	var names map[string]fs.FileMode
	if m, ok := f.mode(dir); ok && m.IsDir() {
		entries, _ := os.ReadDir(filepath.Join(f.root, filepath.FromSlash(dir))) // what cannot be listed has nothing
		names = make(map[string]fs.FileMode, len(entries))
		for _, e := range entries {
			names[e.Name()] = e.Type()
		}
	}
	f.seen[dir] = names
	return names
}
