package python

import (
	"github.com/trainvet/trainvet/analyzers/python/rules"
	"github.com/trainvet/trainvet/analyzers/python/sites"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	texts "github.com/trainvet/trainvet/analyzers/rules"
	"github.com/trainvet/trainvet/analyzers/site"
)

// running says which rules run.
func running(opt Options) func(code string) bool {
	if opt.Rules != nil {
		return opt.Rules
	}
	return func(code string) bool {
		r, ok := texts.Find(code)
		return ok && r.TierFor("py") == site.Core
	}
}

// rules runs the rules over a file whose sites are found; the first of them is
// number first of the result.
func (w *worker) rules(src *source, found []sites.Site, first int) {
	if !src.words.Any() || w.stopped() {
		return
	}
	tree := &src.file.Tree
	w.runner.Run(&rules.Source{
		Name: src.name, Tree: tree, Names: &w.names, Test: src.test, View: src.view, Across: w.across, Sites: found, States: w.judged[:len(found)],
		Editable: src.cells == nil && !src.file.Transcoded,
		Position: src.position, Stop: w.stopped,
		SiteOf: func(call syntax.Node) (string, site.Shape) {
			for i := range found {
				if found[i].Call == call {
					s := &w.res.Sites[first+i]
					return s.ID.String(), s.Shape
				}
			}
			return "", ""
		},
		HandlerOf: func(n syntax.Node, label string) (string, site.Shape) {
			p := place{fn: w.names.Qualified(n), callee: label, kind: site.Handler, shape: w.shaper.Shape(tree, n)}
			w.count[p]++
			return site.ID{Path: src.name, Func: p.fn, Callee: label, Ordinal: w.count[p]}.String(), p.shape
		},
	}, src.words)
}
