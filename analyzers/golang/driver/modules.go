package driver

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// job is one start of the go command: packages of one module.
type job struct {
	dir      string // of the module
	patterns []string
	alone    bool // the module is none of its workspace's: GOWORK=off
}

// plan sorts patterns by the module that they mean. A folder with /... means
// every module below it too, each of which the go command wants started in its
// own folder.
func plan(dir string, patterns []string) ([]job, error) {
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	var jobs []job
	for _, p := range patterns {
		more, err := planOne(dir, p)
		if err != nil {
			return nil, err
		}
		for _, j := range more {
			i := slices.IndexFunc(jobs, func(have job) bool { return have.dir == j.dir })
			if i < 0 {
				jobs = append(jobs, j)
				continue
			}
			jobs[i].patterns = append(jobs[i].patterns, j.patterns...)
		}
	}
	return jobs, nil
}

func planOne(dir, pattern string) ([]job, error) {
	base, recursive := strings.CutSuffix(filepath.ToSlash(pattern), "...")
	base = strings.TrimSuffix(base, "/")
	if base == "" && recursive && pattern != "/..." {
		base = "."
	}
	if !isFolderName(pattern) && pattern != "..." {
		if _, err := os.Stat(filepath.Join(dir, base)); err != nil {
			return planImportPath(dir, pattern)
		}
	}
	at := base
	if !filepath.IsAbs(at) {
		at = filepath.Join(dir, filepath.FromSlash(base))
	}
	info, err := os.Stat(at)
	switch {
	case err != nil:
		return nil, &PatternError{pattern, "no such folder"}
	case !info.IsDir():
		return nil, &PatternError{pattern, "neither a folder nor a Python file; a Go file is analysed with its package: name the folder"}
	}
	return planFolder(pattern, at, recursive)
}

// isFolderName is how the go command tells folders from import paths.
func isFolderName(pattern string) bool {
	p := filepath.ToSlash(pattern)
	return p == "." || p == ".." || strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../") || filepath.IsAbs(pattern)
}

func planImportPath(dir, pattern string) ([]job, error) {
	module := moduleOf(dir)
	if module == "" {
		return nil, &PatternError{pattern, "no such file or folder, nor is there a go.mod above " + dir + " that an import path could belong to"}
	}
	return []job{{dir: module, patterns: []string{pattern}}}, nil
}

func planFolder(pattern, at string, recursive bool) ([]job, error) {
	var jobs []job
	module := moduleOf(at)
	if module != "" {
		rel, err := filepath.Rel(module, at)
		if err != nil {
			return nil, fmt.Errorf("naming %s from %s: %w", at, module, err)
		}
		own := "./" + filepath.ToSlash(rel)
		if recursive {
			own += "/..."
		}
		jobs = append(jobs, job{dir: module, patterns: []string{strings.Replace(own, "./.", ".", 1)}})
	}
	if !recursive {
		if module == "" {
			return nil, &PatternError{pattern, "there is no go.mod in it or above it"}
		}
		return jobs, nil
	}
	below, err := modulesBelow(at)
	if err != nil {
		return nil, err
	}
	for _, m := range below {
		if m != module {
			jobs = append(jobs, job{dir: m, patterns: []string{"./..."}})
		}
	}
	return jobs, nil
}

// moduleOf finds the module that a folder belongs to.
func moduleOf(dir string) string {
	for {
		if isFile(filepath.Join(dir, "go.mod")) {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// modulesBelow finds the modules in a tree, but for the places that the go
// command passes over too, and what other package managers fetched.
func modulesBelow(top string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && name == top:
			return err
		case err != nil:
			return fs.SkipDir // what cannot be read holds no module for the go command either
		case d.IsDir() && name != top && passedOver(d.Name()):
			return fs.SkipDir
		case d.Name() == "go.mod" && d.Type().IsRegular():
			out = append(out, filepath.Dir(name))
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("looking for modules: %w", err)
	}
	return out, nil
}

func passedOver(folder string) bool {
	return folder == "testdata" || folder == "vendor" || folder == "node_modules" ||
		strings.HasPrefix(folder, ".") || strings.HasPrefix(folder, "_")
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}
