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
	files    []string // absolute
	problems map[string]string
}

func list(ctx context.Context, opt Options) *listing {
	l := &listing{problems: map[string]string{}}
	for _, dir := range opt.Folders {
		if !l.git(ctx, dir) {
			l.walk(dir)
		}
	}
	l.files = append(l.files, opt.Files...)
	slices.Sort(l.files)
	l.files = slices.Compact(l.files)
	return l
}

// git asks git, inside of a work tree: what it ignores is no part of the tree.
func (l *listing) git(ctx context.Context, dir string) bool {
	if !inWorkTree(dir) {
		return false
	}
	cmd := exec.CommandContext(ctx, "git", "ls-files", "-z", "-co", "--exclude-standard", "--", "*.py", "*.ipynb")
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
		l.files = append(l.files, filepath.Join(dir, filepath.FromSlash(string(out[:i]))))
		out = out[i+1:]
	}
	return true
}

func inWorkTree(dir string) bool {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
}

// pruned are folders that hold no source of the tree's own.
func pruned(name string) bool {
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
		case d.IsDir() && path != dir && pruned(d.Name()):
			return fs.SkipDir
		case !d.IsDir() && IsSource(d.Name()):
			l.files = append(l.files, path)
		}
		return nil
	})
}
