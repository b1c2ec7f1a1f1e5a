package driver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers/site"
)

// listed is a package as go list describes it.
type listed struct {
	ImportPath     string
	Dir            string
	GoFiles        []string
	CgoFiles       []string
	TestGoFiles    []string
	XTestGoFiles   []string
	InvalidGoFiles []string
	IgnoredGoFiles []string
	Imports        []string
	Error          *listError
	DepsErrors     []*listError
}

type listError struct {
	Pos string
	Err string
}

const listFields = "-json=ImportPath,Dir,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,InvalidGoFiles,IgnoredGoFiles,Imports,Error,DepsErrors"

// loads reports whether the go command can resolve all that the package
// imports. Where one package cannot be resolved, go vet analyses none.
func (l *listed) loads() bool { return l.Error == nil && len(l.DepsErrors) == 0 }

// units are what go vet analyses of the package: itself with its inner tests,
// and its outer tests.
func (l *listed) units() []site.Unit {
	var out []site.Unit
	if own := l.files(l.GoFiles, l.CgoFiles, l.InvalidGoFiles, l.TestGoFiles); len(own) > 0 {
		out = append(out, site.Unit{Name: l.ImportPath, Files: own})
	}
	if outer := l.files(l.XTestGoFiles); len(outer) > 0 {
		out = append(out, site.Unit{Name: l.ImportPath + "_test", Files: outer})
	}
	return out
}

func (l *listed) answered(a *answers) bool {
	for _, u := range l.units() {
		if !a.analysed(u.Name) {
			return false
		}
	}
	return true
}

func (l *listed) files(lists ...[]string) []string {
	var out []string
	seen := map[string]bool{}
	for _, list := range lists {
		for _, name := range list {
			if !seen[name] {
				seen[name] = true
				out = append(out, filepath.ToSlash(filepath.Join(l.Dir, name)))
			}
		}
	}
	return out
}

// list asks which packages a job means. It answers even where packages are
// broken; only a module that cannot be loaded at all has none. A shallow list
// looks at no imports, which is quick, and knows nothing of their errors.
func (g *goCommand) list(ctx context.Context, j job, tags string, shallow bool, say func(pkg, line string) error) ([]*listed, error) {
	args := append([]string{"list", "-e", listFields}, buildFlags(tags)...)
	if shallow {
		args = append(args, "-find")
	}
	var out bytes.Buffer
	errs := &splitter{text: say}
	ok, err := g.stream(g.command(ctx, j, append(append(args, "--"), j.patterns...)...), &out, errs)
	if err != nil {
		return nil, err
	}
	if err := errs.Close(); err != nil {
		return nil, err
	}
	var list []*listed
	for dec := json.NewDecoder(&out); ; {
		p := new(listed)
		err := dec.Decode(p)
		if errors.Is(err, io.EOF) {
			return list, j.absent(list, ok)
		}
		if err != nil {
			return nil, fmt.Errorf("reading what go list says of %s: %w", j.dir, err)
		}
		list = append(list, p)
	}
}

// absent is the error of a pattern that names nothing. The go command goes on
// without it, and what was mistyped would pass as analysed.
func (j job) absent(list []*listed, ok bool) error {
	for _, l := range list {
		if l.Error != nil && l.Dir == "" && slices.Contains(j.patterns, l.ImportPath) {
			why, _, _ := strings.Cut(l.Error.Err, "\n")
			return &PatternError{l.ImportPath, "neither a file or folder, nor a package: " + strings.TrimSuffix(why, "; to add it:")}
		}
	}
	if len(list) > 0 || !ok {
		return nil
	}
	for _, p := range j.patterns {
		if !isFolderName(p) {
			return &PatternError{p, "no package has such a path"}
		}
	}
	return nil
}

// buildFlags are those of each start. Without -trimpath=false a GOFLAGS of
// -trimpath would let the go command answer from its cache with the file names
// of another checkout.
func buildFlags(tags string) []string {
	flags := []string{"-trimpath=false"}
	if tags != "" {
		flags = append(flags, "-tags="+tags)
	}
	return flags
}

// tagList splits a set of tags, which may be written with commas or spaces.
func tagList(tags string) []string {
	return strings.FieldsFunc(tags, func(r rune) bool { return r == ',' || r == ' ' })
}
