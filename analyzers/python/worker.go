package python

import (
	"bytes"
	"fmt"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/guarded"
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/notebook"
	"github.com/trainvet/trainvet/analyzers/python/rules"
	"github.com/trainvet/trainvet/analyzers/python/sites"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// worker analyses one file after the other into the same memory.
type worker struct {
	// stopped reports whether nobody wants the result any more: one file alone can
	// take seconds.
	stopped func() bool

	opt    Options
	looker *looker
	runner *rules.Runner
	buf    []byte
	places rules.Places
	parser syntax.Parser
	reader notebook.Reader
	names  names.Table
	finder *sites.Finder
	states *guarded.Analyzer
	judged []guarded.State // of the sites of the file
	shaper sites.Shaper
	count  map[place]int
	res    Result
	found  []sites.Declaration
	across *calls.Tree
}

// source is one file that is being analysed.
type source struct {
	name  string // from the root
	file  *syntax.File
	cells *notebook.Notebook // nil: no notebook
	test  bool
	words rules.Found // of the rules
	sited bool        // it may hold a site
	ready bool        // what guards is asked for this file
	view  *calls.File // as other files see it
	more  int         // sites beyond maxSites
}

func newWorker(stopped func() bool, opt Options, look *looker, tree *calls.Tree, declared []sites.Declaration) *worker {
	w := &worker{buf: make([]byte, usualBuffer), stopped: stopped, opt: opt, looker: look, runner: rules.NewRunner(look.set), finder: sites.NewFinder(), states: guarded.New(), count: map[place]int{}, across: tree}
	w.finder.Declare(declared)
	w.finder.Across, w.states.Across = tree, tree
	w.states.Guards = guards(opt.Guards, declared)
	return w
}

// usualBuffer holds nearly every file: one that grew with each larger file took
// as much memory again, page by page.
const usualBuffer = 512 << 10

// maxKept bounds the read buffer that is kept for the next file.
const maxKept = 8 << 20

// file analyses one file.
func (w *worker) file(path string) {
	limit := w.opt.MaxSize
	if limit <= 0 {
		limit = defaultSize
	}
	if isNotebook(path) {
		limit *= 4
	}
	src := source{name: relative(w.opt.Root, path)}
	var err error
	if cap(w.buf) > maxKept {
		w.buf = nil
	}
	w.buf, err = read(path, w.buf, limit)
	if err != nil {
		if why := w.problem(path, err); why != "" {
			w.unit(&src, why, site.Position{File: src.name})
			// What cannot be read may hold a site.
			w.res.Possible = append(w.res.Possible, Possible{Unit: src.name, At: site.Position{File: src.name}, Why: why, Dark: true})
		}
		return
	}
	w.res.Stats.Files++
	w.res.Stats.Bytes += int64(len(w.buf))
	src.test = IsTest(src.name)
	src.sited, src.words = w.looker.look(w.buf, src.test, &w.places)
	if !src.sited && !src.words.Any() {
		w.runner.Saw(&src.words, src.test)
		w.unit(&src, "", site.Position{})
		return
	}
	w.analyse(&src, path)
}

// isWide reports whether a text is in an encoding of more than one byte a
// letter, in which the filter finds nothing.
func isWide(text []byte) bool { return bytes.IndexByte(text[:min(len(text), 512)], 0) >= 0 }

func (w *worker) analyse(src *source, path string) {
	text := w.buf
	if isNotebook(path) {
		w.res.Stats.Notebooks++
		book, err := w.reader.Read(w.buf)
		if err != nil {
			w.unreadable(src, err)
			return
		}
		src.cells, text = book, book.Text
	}
	w.res.Stats.Parsed++
	src.file = w.parser.Parse(text)
	w.names.Build(&src.file.Tree)
	src.view = calls.NewFile(src.name, &src.file.Tree, &w.names)
	if src.cells != nil || src.file.Transcoded { // what lies on disk is no source
		src.words = w.looker.set.Look(src.file.Text(), src.test, src.sited)
	}
	w.runner.Saw(&src.words, src.test)
	if !src.sited {
		w.rules(src, nil, len(w.res.Sites))
		w.damage(src) // no site is missing there, but what the rules would say may be
		return
	}
	w.comments(src)
	found := w.finder.FindFile(src.view)
	first := len(w.res.Sites)
	w.sites(src, found)
	w.doubts(src, found.Doubts)
	w.rules(src, found.Sites, first)
	w.damage(src)
}

// unit says of a file that it was analysed, or why not.
func (w *worker) unit(src *source, problem string, at site.Position) {
	w.res.Units = append(w.res.Units, site.Unit{Name: src.name, Files: []string{src.name}, Problem: problem, At: at})
}

// doubts keeps the calls that no rule could tell; those in tests never matter.
func (w *worker) doubts(src *source, list []sites.Doubt) {
	if src.test {
		return
	}
	for _, d := range list {
		w.res.Possible = append(w.res.Possible, Possible{
			Unit: src.name, At: src.position(src.file.Start(d.Call)), Name: sites.Callee(&src.file.Tree, d.Call), Why: d.Why,
		})
	}
}

// position names an offset of the text as a place in the file.
func (s *source) position(offset int) site.Position {
	p := s.file.Position(offset)
	at := site.Position{File: s.name, Line: p.Line, Column: p.Column + 1}
	if s.cells != nil {
		at.Cell, at.Line = s.cells.Place(p.Line)
	}
	return at
}

// sites turns what was found into the form of the ledger.
func (w *worker) sites(src *source, found *sites.Result) {
	clear(w.count)
	w.judged = w.judged[:0]
	if len(found.Sites) > 0 {
		w.guards(src)
	}
	first := len(w.res.Sites)
	if n := len(found.Sites); n > maxSites {
		found.Sites = found.Sites[:maxSites]
		src.more = n - maxSites
	}
	for i := range found.Sites {
		if w.stopped() {
			return // the scan has failed, and says so
		}
		w.res.Sites = append(w.res.Sites, w.site(src, &found.Sites[i]))
	}
	if src.cells != nil && !w.opt.Source {
		loaded(src, w.res.Sites[first:])
	}
}

// guards turns what computes states to a file, once.
func (w *worker) guards(src *source) {
	if !src.ready {
		src.ready = true
		w.states.ResetFile(src.view)
	}
}

// maxSites bounds the sites of one file: the largest of real trees have some
// hundred, and a file that was made to have millions must not take the memory
// of the machine.
const maxSites = 10000

// place is what tells sites apart that are not numbered.
type place struct {
	fn, callee string
	kind       site.Kind
	shape      site.Shape
}

func (w *worker) site(src *source, s *sites.Site) site.Site {
	tree := &src.file.Tree
	p := place{w.names.Qualified(s.Call), sites.Callee(tree, s.Call), s.Kind, w.shaper.Shape(tree, s.Call)}
	w.count[p]++
	out := site.Site{
		Kind: s.Kind, ID: site.ID{Path: src.name, Func: p.fn, Callee: p.callee, Ordinal: w.count[p]}, Shape: p.shape,
		At: src.position(tree.Start(s.Call)), End: src.position(tree.End(s.Call)),
		Origin: s.Origin, By: s.By, Escapes: s.Escapes, Test: src.test, ByName: s.ByName,
	}
	for _, p := range s.Parts {
		out.Parts = append(out.Parts, site.Related{At: src.position(tree.Start(p)), Message: sites.Callee(tree, p) + " belongs to it"})
	}
	w.state(src, s, &out)
	return out
}

// unreadable names a notebook that is none, or is of another language.
func (w *worker) unreadable(src *source, err error) {
	if _, foreign := err.(*notebook.LanguageError); foreign {
		w.unit(src, "", site.Position{}) // not Python: no part of this inventory
		return
	}
	w.unit(src, fmt.Sprintf("it is no notebook: %v", err), site.Position{File: src.name})
	w.res.Possible = append(w.res.Possible, Possible{Unit: src.name, At: site.Position{File: src.name}, Why: "it is no notebook", Dark: true})
}
