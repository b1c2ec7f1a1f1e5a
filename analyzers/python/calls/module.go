package calls

import (
	_ "embed"
	"path"
	"strings"
)

//go:embed stdlib.txt
var stdlibRows string

// stdlib are the modules that are no file of any tree.
func stdlib() map[string]bool {
	out := map[string]bool{}
	for _, name := range strings.Fields(stdlibRows[strings.IndexByte(stdlibRows, '\n'):]) {
		out[name] = true
	}
	return out
}

// sourceFolders hold packages without being one.
var sourceFolders = [...]string{"", "src", "lib", "python"}

// module finds what a file imports by a dotted name: the path of the module
// from the root, without .py. level is the number of dots before it.
func (t *Tree) module(from string, level int, dotted string) (string, bool) {
	k := moduleKey{from, dotted, level}
	t.mu.Lock()
	found, ok := t.modules[k]
	t.mu.Unlock()
	if !ok {
		found.path, found.ok = t.findModule(from, level, dotted)
		t.mu.Lock()
		t.modules[k] = found
		t.mu.Unlock()
	}
	return found.path, found.ok
}

// moduleKey is an import: each is asked for again and again, once for each name
// that it brings.
type moduleKey struct {
	from, dotted string
	level        int
}

type moduleFound struct {
	path string
	ok   bool
}

func (t *Tree) findModule(from string, level int, dotted string) (string, bool) {
	below := strings.ReplaceAll(dotted, ".", "/")
	dir := path.Dir(from)
	if level > 0 {
		for ; level > 1; level-- {
			if dir == "." {
				return "", false // above the root
			}
			dir = path.Dir(dir)
		}
		return t.at(path.Join(dir, below))
	}
	head, _, _ := strings.Cut(dotted, ".")
	if t.stdlib[head] || head == "" || !t.mayHave(dir, head) {
		return "", false
	}
	for first := true; ; dir, first = path.Dir(dir), false {
		if first || !t.isFile(path.Join(dir, "__init__.py")) {
			for _, folder := range sourceFolders {
				if m, ok := t.at(path.Join(dir, folder, below)); ok && m != strings.TrimSuffix(from, ".py") {
					return m, true
				}
			}
		}
		if dir == path.Dir(dir) { // the root, "." or of a file outside of the tree "/"
			return "", false
		}
	}
}

// headKey is the first name of an import, and the folder from which it is
// looked for upwards.
type headKey struct{ dir, head string }

// mayHave reports whether a folder or one above has what an import begins with.
// Most of what is imported is installed and no part of the tree, and the same few
// packages are asked for by each file of a folder.
func (t *Tree) mayHave(dir, head string) bool {
	k := headKey{dir, head}
	t.mu.Lock()
	found, ok := t.heads[k]
	t.mu.Unlock()
	if ok {
		return found
	}
	for _, folder := range sourceFolders {
		in := below(dir, folder)
		if folder != "" && !t.isDir(in) {
			continue // nearly always
		}
		if name := below(in, head); t.isDir(name) || t.isFile(name+".py") {
			found = true
			break
		}
	}
	if up := path.Dir(dir); !found && up != dir {
		found = t.mayHave(up, head)
	}
	t.mu.Lock()
	t.heads[k] = found
	t.mu.Unlock()
	return found
}

// below is path.Join of a clean path and a name, which may be empty.
func below(dir, name string) string {
	switch {
	case name == "":
		return dir
	case dir == ".":
		return name
	case dir == "/":
		return dir + name
	}
	return dir + "/" + name
}

// at reports whether a module lies at a path: a file, a package, or a folder
// that can hold some.
func (t *Tree) at(module string) (string, bool) {
	if strings.HasPrefix(module, "../") || module == ".." || module == "." && !t.isFile("__init__.py") {
		return "", false
	}
	return module, t.fileOf(module) != "" || t.isDir(module)
}

// fileOf is the file of a module; empty: it has none.
func (t *Tree) fileOf(module string) string {
	for _, name := range [...]string{module + "/__init__.py", module + ".py"} {
		if t.isFile(name) {
			return name
		}
	}
	return ""
}

func (t *Tree) isFile(name string) bool { f, _ := t.has(name); return f }
func (t *Tree) isDir(name string) bool  { _, d := t.has(name); return d }

// has asks once for each name.
func (t *Tree) has(name string) (file, dir bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	k, ok := t.kinds[name]
	if !ok {
		k.file, k.dir = t.source.Has(name)
		t.kinds[name] = k
	}
	return k.file, k.dir
}

type kind struct{ file, dir bool }
