package driver

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/trainvet/trainvet/analyzers/site"
)

// reasons finds out why a package was not analysed.
type reasons struct {
	dir     string // that the go command names files from
	answers *answers
	byPath  map[string]*listed
}

func newReasons(j job, list []*listed, a *answers) *reasons {
	r := &reasons{dir: j.dir, answers: a, byPath: map[string]*listed{}}
	for _, l := range list {
		r.byPath[l.ImportPath] = l
	}
	return r
}

// of gives the first cause that is known, the nearest to the package first.
func (r *reasons) of(l *listed, name string) (string, site.Position) {
	if u := r.answers.units[name]; u != nil && u.broken != "" {
		return u.broken, site.Position{}
	}
	if text, at, ok := r.said(name); ok {
		return text, at
	}
	if text, at, ok := r.about(l); ok {
		return text, at
	}
	if text, at, ok := r.listedError(l); ok {
		return text, at
	}
	if text, at, ok := r.imported(l, map[string]bool{}); ok {
		return text, at
	}
	if text, at := r.ofAll(); text != "" {
		return "the go command did not analyse it: " + text, at
	}
	return "the go command did not analyse it and did not say why; its cache may know the package as an import only: go clean -cache", site.Position{}
}

// said is what the go command printed under the package's name.
func (r *reasons) said(name string) (string, site.Position, bool) {
	lines := r.answers.messages[name]
	for _, line := range lines {
		if text, at, ok := r.placed(line); ok {
			return text, at, true
		}
	}
	if len(lines) > 0 {
		return strings.TrimPrefix(lines[0], "vet: "), site.Position{}, true
	}
	return "", site.Position{}, false
}

// about is what the go command printed of a file of the package without
// naming the package, as it does of imports that tests lack.
func (r *reasons) about(l *listed) (string, site.Position, bool) {
	for _, line := range r.answers.messages[""] {
		if text, at, ok := r.placed(line); ok && path.Dir(at.File) == filepath.ToSlash(l.Dir) {
			return text, at, true
		}
	}
	return "", site.Position{}, false
}

func (r *reasons) listedError(l *listed) (string, site.Position, bool) {
	for _, e := range append([]*listError{l.Error}, l.DepsErrors...) {
		if e == nil {
			continue
		}
		at, _ := position(e.Pos)
		text, _, _ := strings.Cut(strings.TrimSpace(e.Err), "\n")
		return strings.TrimSuffix(text, "; to add it:"), r.absolute(at), true
	}
	return "", site.Position{}, false
}

// imported looks for the broken package among those that it imports.
func (r *reasons) imported(l *listed, seen map[string]bool) (string, site.Position, bool) {
	for _, p := range l.Imports {
		if seen[p] {
			continue
		}
		seen[p] = true
		if text, at, ok := r.said(p); ok {
			return "it imports " + p + ", which does not build: " + text, at, true
		}
		if next := r.byPath[p]; next != nil {
			if text, at, ok := r.imported(next, seen); ok {
				return text, at, true
			}
		}
	}
	return "", site.Position{}, false
}

// ofAll is what the go command complained of, of no package in particular
// before any other: a line with a place where there is one.
func (r *reasons) ofAll() (string, site.Position) {
	for _, pkg := range append([]string{""}, r.answers.order...) {
		first := ""
		for _, line := range r.answers.messages[pkg] {
			if text, at, ok := r.placed(line); ok {
				return text, at
			}
			if first == "" && !strings.Contains(line, "matched no packages") && line != "no packages to vet" {
				first = line
			}
		}
		if first != "" {
			return first, site.Position{}
		}
	}
	return "", site.Position{}
}

// placed reads "file:line:column: text".
func (r *reasons) placed(line string) (string, site.Position, bool) {
	line = strings.TrimPrefix(line, "vet: ")
	place, text, ok := strings.Cut(line, ": ")
	if !ok {
		return "", site.Position{}, false
	}
	at, ok := position(place)
	if !ok {
		return "", site.Position{}, false
	}
	return strings.TrimSuffix(text, "; to add it:"), r.absolute(at), true
}

func (r *reasons) absolute(at site.Position) site.Position {
	if at.File != "" && !filepath.IsAbs(at.File) {
		at.File = filepath.ToSlash(filepath.Join(r.dir, at.File))
	}
	return at
}
