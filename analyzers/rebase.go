package analyzers

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers/golang/driver"
	"github.com/trainvet/trainvet/analyzers/site"
)

// take names everything from the root: units give full names.
func (t *Tree) take(res *driver.Result) {
	t.Scan.Root = t.Root
	t.Scan.Sites = slices.Clone(res.Sites)
	t.Scan.Findings = slices.Clone(res.Findings)
	t.Scan.Ignores = slices.Clone(res.Ignores)
	t.Scan.Units = slices.Clone(res.Units)
	for i := range t.Scan.Sites {
		t.site(&t.Scan.Sites[i])
	}
	for i := range t.Scan.Findings {
		t.finding(&t.Scan.Findings[i])
	}
	for i := range t.Scan.Ignores {
		t.at(&t.Scan.Ignores[i].At)
	}
	for i := range t.Scan.Units {
		u := &t.Scan.Units[i]
		t.at(&u.At)
		u.Files, u.Generated = t.names(u.Files), t.names(u.Generated)
		if filepath.IsAbs(u.Name) { // a module that could not be loaded
			u.Name = t.name(u.Name)
		}
	}
}

func (t *Tree) site(s *site.Site) {
	t.at(&s.At)
	t.at(&s.End)
	s.ID.Path = t.name(s.ID.Path)
	s.Guard = t.related(s.Guard)
	s.Handlers = slices.Clone(s.Handlers)
	for i := range s.Handlers {
		t.at(&s.Handlers[i].At)
	}
}

func (t *Tree) finding(f *site.Finding) {
	t.at(&f.At)
	t.at(&f.End)
	f.Related = slices.Clone(f.Related)
	for i := range f.Related {
		t.at(&f.Related[i].At)
	}
	f.Fixes = slices.Clone(f.Fixes)
	for i := range f.Fixes {
		f.Fixes[i].Edits = slices.Clone(f.Fixes[i].Edits)
		for k := range f.Fixes[i].Edits {
			e := &f.Fixes[i].Edits[k]
			e.File = t.name(e.File)
		}
	}
	if id, err := site.ParseID(f.Site); err == nil {
		id.Path = t.name(id.Path)
		f.Site = id.String()
	}
}

func (t *Tree) related(r *site.Related) *site.Related {
	if r == nil {
		return nil
	}
	out := *r
	t.at(&out.At)
	return &out
}

func (t *Tree) at(p *site.Position) { p.File = t.name(p.File) }

func (t *Tree) names(files []string) []string {
	var out []string
	for _, f := range files {
		out = append(out, t.name(f))
	}
	return out
}

// name names a file from the root; one outside keeps its full name.
func (t *Tree) name(file string) string {
	if file == "" || !filepath.IsAbs(file) {
		return file
	}
	rel, err := filepath.Rel(t.Root, filepath.FromSlash(file))
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return file
	}
	return filepath.ToSlash(rel)
}
