package python

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// IsSource reports whether a file is Python by its name.
func IsSource(name string) bool {
	return strings.HasSuffix(name, ".py") || isNotebook(name)
}

func isNotebook(name string) bool { return strings.HasSuffix(name, ".ipynb") }

// listing is what files a scan is of.
type listing struct {
	files     []string // absolute
	launchers []string // absolute; what may start programs
	problems  map[string]string

	known launchers
}

func list(ctx context.Context, opt Options) *listing {
	l := &listing{problems: map[string]string{}, known: readLaunchers()}
	for _, dir := range opt.Folders {
		if !l.git(ctx, dir) {
			l.walk(dir)
		}
	}
	l.files = append(l.files, opt.Files...)
	slices.Sort(l.launchers)
	slices.Sort(l.files)
	l.files = slices.Compact(l.files)
	return l
}

// git asks git, inside of a work tree: what it ignores is no part of the tree.
func (l *listing) git(ctx context.Context, dir string) bool {
	if top(dir) == "" {
		return false
	}
	args := []string{"ls-files", "-z", "-co", "--exclude-standard", "--", "*.py", "*.ipynb"}
	for _, pattern := range l.known["file"] {
		args = append(args, ":(glob)**/"+pattern)
	}
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0")
	out, err := cmd.Output()
	if err != nil {
		return false
	}
	for len(out) > 0 {
		i := bytes.IndexByte(out, 0)
		if i < 0 {
			i = len(out) - 1
		}
		l.add(filepath.Join(dir, filepath.FromSlash(string(out[:i]))))
		out = out[i+1:]
	}
	l.submodules(dir)
	return true
}

func (l *listing) add(name string) {
	if IsSource(name) {
		l.files = append(l.files, name)
	}
	if l.isLauncher(name) {
		l.launchers = append(l.launchers, name)
	}
}

// submodules names the parts of a work tree that git lists for themselves
// alone.
func (l *listing) submodules(dir string) {
	for _, s := range modules(top(dir)) {
		if s != dir && !strings.HasPrefix(s, dir+string(filepath.Separator)) {
			continue
		}
		l.problems[s] = "it is a submodule, which is a tree of its own: name its folder to have it analysed"
	}
}

// modules reads the paths of .gitmodules.
func modules(root string) []string {
	text, err := os.ReadFile(filepath.Join(root, ".gitmodules"))
	if err != nil {
		return nil // nearly always there is none
	}
	var out []string
	for line := range strings.Lines(string(text)) {
		key, value, ok := strings.Cut(line, "=")
		if value = strings.TrimSpace(value); ok && strings.TrimSpace(key) == "path" && filepath.IsLocal(value) {
			out = append(out, filepath.Join(root, filepath.FromSlash(value)))
		}
	}
	return out
}

// top is the root of the work tree that a folder lies in; empty: none.
func top(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// Pruned reports whether a folder of this name holds no source of the tree's
// own.
func Pruned(name string) bool {
	switch name {
	case ".git", "node_modules", "__pycache__", "venv", ".venv", "site-packages", ".tox", ".hg", ".svn", ".ipynb_checkpoints":
		return true
	}
	return false
}

// walk lists a folder by itself. Links are not followed: what they lead to is
// in the tree by its own name, or is not the tree's.
func (l *listing) walk(dir string) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			l.problems[path] = "it cannot be read: " + reason(err)
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir() && path != dir && Pruned(d.Name()):
			return fs.SkipDir
		case !d.IsDir():
			l.add(path)
		}
		return nil
	})
}
