package analyzers

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers/ledger"
	"github.com/trainvet/trainvet/analyzers/site"
)

// naming gives files other names, in all that names them.
type naming func(string) string

// from names files from a root; one outside keeps its full name.
func from(root string) naming {
	return func(file string) string {
		if file == "" || !filepath.IsAbs(file) {
			return file
		}
		rel, err := filepath.Rel(root, filepath.FromSlash(file))
		if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return file
		}
		return filepath.ToSlash(rel)
	}
}

// below names the files of a folder from that folder, and above names them back.
func below(folder string) naming {
	return func(file string) string { return strings.TrimPrefix(file, folder+"/") }
}

func above(folder string) naming {
	return func(file string) string {
		if file == "" || filepath.IsAbs(file) {
			return file
		}
		return folder + "/" + file
	}
}

// scan returns a copy that shares nothing which is named.
func (n naming) scan(s site.Scan) site.Scan {
	s.Sites, s.Findings = each(s.Sites, n.site), each(s.Findings, n.finding)
	s.Ignores = each(s.Ignores, func(ig site.Ignore) site.Ignore { ig.At = n.at(ig.At); return ig })
	s.Units = each(s.Units, n.unit)
	return s
}

// judgement does the same for what the ledger made of a scan.
func (n naming) judgement(j ledger.Judgement) ledger.Judgement {
	judged := func(x ledger.Judged) ledger.Judged { x.Site = n.site(x.Site); return x }
	row := func(r ledger.Row) ledger.Row { r.ID.Path = n(r.ID.Path); return r }
	return ledger.Judgement{
		Findings: each(j.Findings, n.finding), Sites: each(j.Sites, judged), Handlers: each(j.Handlers, judged),
		Stale: each(j.Stale, row), Unknown: each(j.Unknown, row),
		Debt: each(j.Debt, func(d ledger.Debt) ledger.Debt { d.At, d.Site = n.at(d.At), n.id(d.Site); return d }),
	}
}

func each[T any](list []T, change func(T) T) []T {
	out := make([]T, len(list))
	for i := range list {
		out[i] = change(list[i])
	}
	return out
}

func (n naming) at(p site.Position) site.Position {
	p.File = n(p.File)
	return p
}

func (n naming) site(s site.Site) site.Site {
	s.At, s.End, s.ID.Path = n.at(s.At), n.at(s.End), n(s.ID.Path)
	if s.Guard != nil {
		guard := n.related(*s.Guard)
		s.Guard = &guard
	}
	s.Handlers = each(s.Handlers, func(h site.Handling) site.Handling { h.At = n.at(h.At); return h })
	return s
}

func (n naming) related(r site.Related) site.Related {
	r.At = n.at(r.At)
	return r
}

func (n naming) finding(f site.Finding) site.Finding {
	f.At, f.End, f.Site = n.at(f.At), n.at(f.End), n.id(f.Site)
	f.Related = each(f.Related, n.related)
	f.Fixes = each(f.Fixes, func(fix site.Fix) site.Fix {
		fix.Edits = each(fix.Edits, func(e site.Edit) site.Edit { e.File = n(e.File); return e })
		return fix
	})
	return f
}

// id names the file of a site's id; what is none stays as it is.
func (n naming) id(text string) string {
	id, err := site.ParseID(text)
	if err != nil {
		return text
	}
	id.Path = n(id.Path)
	return id.String()
}

func (n naming) unit(u site.Unit) site.Unit {
	u.At = n.at(u.At)
	u.Files, u.Generated = each(u.Files, n), slices.Clip(each(u.Generated, n))
	if len(u.Generated) == 0 {
		u.Generated = nil
	}
	if filepath.IsAbs(u.Name) { // a module that could not be loaded
		u.Name = n(u.Name)
	}
	return u
}
