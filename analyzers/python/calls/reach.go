package calls

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// maxReach bounds the files that one question goes through.
const maxReach = 500

// Reaches reports whether a module that a file names, or what it imports,
// however far, is one of these files.
func (t *Tree) Reaches(from, module string, files map[string]bool) bool {
	path, ok := t.module(from, 0, module)
	if !ok {
		return false
	}
	queue := []string{t.fileOf(path)}
	seen := map[string]bool{"": true}
	for len(queue) > 0 && len(seen) < maxReach {
		name := queue[0]
		queue = queue[1:]
		if seen[name] {
			continue
		}
		seen[name] = true
		if files[name] {
			return true
		}
		if f := t.File(name); f != nil {
			queue = append(queue, t.imports(f)...)
		}
	}
	return false
}

// imports are the files that a file imports, anywhere in it.
func (t *Tree) imports(f *File) []string {
	var out []string
	tree := f.Syntax
	add := func(level int, dotted string) {
		if path, ok := t.moduleOf(f, level, dotted); ok {
			out = append(out, t.fileOf(path))
		}
	}
	for n := tree.Root() + 1; int(n) < tree.Len(); n++ {
		if tree.Kind(n) != syntax.Alias || tree.Parent(n) == 0 {
			continue
		}
		from, name := tree.Parent(n), string(tree.Name(n))
		if tree.Kind(from) == syntax.Import {
			add(0, name)
			continue
		}
		module := string(tree.Name(tree.Child(from, syntax.RoleModule)))
		add(tree.Level(from), module)
		if module != "" {
			name = module + "." + name
		}
		add(tree.Level(from), name) // a submodule, perhaps
	}
	return out
}
