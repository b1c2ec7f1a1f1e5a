package fixes

import (
	"bytes"
	"cmp"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/trainvet/trainvet/analyzers/site"
)

// Options of a plan.
type Options struct {
	Root      string    // absolute; files are named from here
	Before    time.Time // when the analysis began
	Drafts    bool      // changes that need a look too
	Generated func(file string) bool
}

// Plan is what would be changed.
type Plan struct {
	Files   []File    // by name
	Fixed   int       // findings that are mended
	Skipped []Skipped // what is left as it is
	Waiting int       // fixes that touch the text of another one
}

// File is one changed file.
type File struct {
	Name     string // from the root
	Old, New []byte
	path     string
	mode     os.FileMode
}

// Skipped is a file that is not changed, and why.
type Skipped struct{ File, Why string }

// Make plans the first fix of each finding that may be made. Nothing is
// written.
func Make(findings []site.Finding, opt Options) *Plan {
	refused := map[string]string{}
	for {
		p := &planner{opt: opt, files: map[string]*pending{}, refused: refused}
		for i := range findings {
			p.finding(&findings[i])
		}
		// A fix of several files is made whole or not at all: where one of them
		// cannot take it, the plan is made anew without that file.
		if !p.refuse() {
			return p.finish()
		}
	}
}

// pending is a file while its edits are gathered.
type pending struct {
	File
	edits   []site.Edit
	skipped string
}

type planner struct {
	opt     Options
	files   map[string]*pending
	refused map[string]string // why, by file
	plan    Plan
}

func (p *planner) finding(f *site.Finding) {
	i := slices.IndexFunc(f.Fixes, func(fix site.Fix) bool { return (fix.Safe || p.opt.Drafts) && len(fix.Edits) > 0 })
	if i < 0 {
		return
	}
	fix := f.Fixes[i]
	for _, e := range fix.Edits {
		if p.file(e.File).skipped != "" {
			return
		}
	}
	if !p.fits(fix) {
		p.plan.Waiting++
		return
	}
	for _, e := range fix.Edits {
		file := p.file(e.File)
		if !slices.Contains(file.edits, e) { // two findings may both add the same import
			file.edits = append(file.edits, e)
		}
	}
	p.plan.Fixed++
}

// fits reports whether no edit of a fix touches one that is planned already,
// other than by being the same.
func (p *planner) fits(fix site.Fix) bool {
	for _, e := range fix.Edits {
		file := p.file(e.File)
		if e.Start < 0 || e.End < e.Start || e.End > len(file.Old) {
			file.skipped = "the fix does not fit the file: it was changed"
			return false
		}
		for _, have := range file.edits {
			apart := e.End < have.Start || have.End < e.Start || e.Start < e.End && have.Start < have.End && (e.End == have.Start || have.End == e.Start)
			if have != e && !apart {
				return false
			}
		}
	}
	return true
}

func (p *planner) file(name string) *pending {
	if f, ok := p.files[name]; ok {
		return f
	}
	f := &pending{File: File{Name: name}}
	p.files[name] = f
	if f.skipped = p.refused[name]; f.skipped == "" {
		f.skipped = p.open(f)
	}
	return f
}

// open reads a file, or says why it must stay as it is.
func (p *planner) open(f *pending) (why string) {
	if filepath.IsAbs(filepath.FromSlash(f.Name)) {
		return "it lies outside of the tree"
	}
	if p.opt.Generated != nil && p.opt.Generated(f.Name) {
		return "a program wrote it: mend that, and generate it again"
	}
	path, err := filepath.EvalSymlinks(filepath.Join(p.opt.Root, filepath.FromSlash(f.Name)))
	if err != nil {
		return err.Error()
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err.Error()
	case !info.ModTime().Before(p.opt.Before):
		return "it was changed while it was analysed"
	}
	f.path, f.mode = path, info.Mode()
	if f.Old, err = os.ReadFile(path); err != nil {
		return err.Error()
	}
	return ""
}

// refuse makes the new texts and reports whether one of them is none.
func (p *planner) refuse() bool {
	found := false
	for name, f := range p.files {
		if len(f.edits) > 0 && f.skipped == "" {
			f.skipped = f.edit()
		}
		if len(f.edits) > 0 && f.skipped != "" {
			p.refused[name], found = f.skipped, true
		}
	}
	return found
}

func (p *planner) finish() *Plan {
	for _, f := range p.files {
		switch {
		case f.skipped != "":
			p.plan.Skipped = append(p.plan.Skipped, Skipped{f.Name, f.skipped})
		case f.New != nil:
			p.plan.Files = append(p.plan.Files, f.File)
		}
	}
	slices.SortFunc(p.plan.Files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(p.plan.Skipped, func(a, b Skipped) int { return cmp.Compare(a.File, b.File) })
	return &p.plan
}

// edit makes the new text.
func (f *pending) edit() (why string) {
	slices.SortStableFunc(f.edits, func(a, b site.Edit) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	var b bytes.Buffer
	at := 0
	for _, e := range f.edits {
		b.Write(f.Old[at:e.Start])
		b.WriteString(e.New)
		at = e.End
	}
	b.Write(f.Old[at:])
	text := b.Bytes()
	if filepath.Ext(f.Name) == ".go" {
		var err error
		if text, err = formatted(f.Old, text); err != nil {
			return fmt.Sprintf("it would not be Go any more: %v", err)
		}
	}
	f.New = text
	return ""
}

// formatted formats what was formatted before, so that a fix shows no lines
// but its own.
func formatted(old, text []byte) ([]byte, error) {
	if was, err := format.Source(old); err == nil && bytes.Equal(was, old) {
		return format.Source(text)
	}
	_, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	return text, err
}
