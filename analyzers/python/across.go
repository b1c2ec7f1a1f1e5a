package python

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/calls"
)

// errNotebook says that nothing imports a notebook.
var errNotebook = errors.New("it is no module")

// across makes the tree that resolves what one file takes from another: below
// the root, whatever part of it a scan is of.
func across(opt Options, files *listing) *calls.Tree {
	limit := opt.MaxSize
	if limit <= 0 {
		limit = defaultSize
	}
	var names []string
	for _, file := range files.files {
		if !isNotebook(file) {
			names = append(names, relative(opt.Root, file))
		}
	}
	below := &folders{root: opt.Root, seen: map[string]map[string]fs.FileMode{}}
	at := func(name string) string { return filepath.Join(opt.Root, filepath.FromSlash(name)) }
	return calls.NewTree(calls.Source{
		Files: names,
		Has:   below.has,
		Read: func(name string) ([]byte, error) {
			if !strings.HasSuffix(name, ".py") {
				return nil, errNotebook
			}
			if filepath.IsAbs(name) {
				return read(name, nil, limit)
			}
			return read(at(name), nil, limit)
		},
	})
}
