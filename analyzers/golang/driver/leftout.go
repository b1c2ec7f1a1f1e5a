package driver

import (
	"fmt"
	"go/build"
	"io/fs"
	"path/filepath"
	"strings"
)

// leftOut finds the Go files in the folders of a job of which the go command
// says nothing at all: where build constraints leave out every file of a
// folder, its patterns pass over the folder.
func leftOut(j job, included map[string]bool) ([]string, error) {
	busy := map[string]bool{} // folders of which something was analysed
	for file := range included {
		busy[filepath.Dir(filepath.FromSlash(file))] = true
	}
	var out []string
	for _, pattern := range j.patterns {
		base, recursive := strings.CutSuffix(pattern, "/...")
		if !recursive || !isFolderName(base) {
			continue
		}
		top := base
		if !filepath.IsAbs(top) {
			top = filepath.Join(j.dir, filepath.FromSlash(base))
		}
		files, err := constrained(top, busy)
		if err != nil {
			return nil, fmt.Errorf("looking for folders that build constraints leave out: %w", err)
		}
		out = append(out, files...)
	}
	return out, nil
}

// constrained lists the files below a folder, in folders that are not busy,
// that are left out by their constraints and not for another reason.
func constrained(top string, busy map[string]bool) ([]string, error) {
	var out []string
	err := filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && name == top:
			return err
		case err != nil:
			return fs.SkipDir // the go command cannot read it either
		case d.IsDir() && name != top && (passedOver(d.Name()) || isFile(filepath.Join(name, "go.mod"))):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || busy[filepath.Dir(name)] || strings.HasPrefix(d.Name(), "_") || strings.HasPrefix(d.Name(), "."):
			return nil
		}
		if match, err := build.Default.MatchFile(filepath.Dir(name), d.Name()); err == nil && !match {
			out = append(out, filepath.ToSlash(name))
		}
		return nil
	})
	return out, err
}
