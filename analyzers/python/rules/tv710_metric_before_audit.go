package rules

import (
	"bytes"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// metricFiles are what a Trainer writes its numbers into.
var metricFiles = []string{"trainer_state.json", "all_results.json", "eval_results.json", "predict_results.json"}

// tv710: the numbers of a run are read from its files and handed on, and no
// audit of the run was asked. The files hold them whether or not the device
// failed.
func tv710() Rule {
	return Rule{
		Code:  "TV710",
		Needs: [][]string{metricFiles},
		Check: func(f *File, r *Report) {
			if bytes.Contains(f.Text(), []byte("trainvet")) {
				return // the audit is asked here, or its result is read
			}
			for n := range f.Preorder(f.Root()) {
				if text, ok := f.Str(n); ok && isMetricFile(text) {
					f.readBeforeAudit(r, n, text)
				}
			}
		},
	}
}

func isMetricFile(text string) bool {
	for _, name := range metricFiles {
		if strings.HasSuffix(text, name) {
			return true
		}
	}
	return false
}

// readBeforeAudit reports a function that reads the file: it opens what the
// name goes into and takes the JSON apart.
func (f *File) readBeforeAudit(r *Report, n syntax.Node, text string) {
	def := f.Function(n)
	path := f.assigned(f.outermost(n))
	for c := range f.Within(def) {
		if f.Kind(c) != syntax.Call {
			continue
		}
		switch f.Last(f.First(c)) {
		case "open", "read_text", "load_from_json", "read_json":
		default:
			continue
		}
		object := c
		if mode, _ := f.Str(f.ArgOr(c, 1, "mode")); f.Last(f.First(c)) == "open" && mode != "" && !strings.Contains(mode, "r") {
			continue
		}
		if !f.Holds(object, n) && (path == "" || !f.namesIn(object, path)) {
			continue
		}
		r.Add(Finding{At: c, Message: "the numbers of a run are read from " + text + " and no audit of the run is asked before: the file holds them whether or not the device failed"})
		return
	}
}

// outermost is the expression that a node is part of.
func (f *File) outermost(n syntax.Node) syntax.Node {
	for p := f.Parent(n); f.Kind(p).IsExpression() && f.Kind(p) != syntax.IfExp; p = f.Parent(n) {
		n = p
	}
	return n
}

// namesIn reports whether a name is read below a node.
func (f *File) namesIn(n syntax.Node, name string) bool {
	for c := range f.Preorder(n) {
		if (f.Kind(c) == syntax.Name || f.Kind(c) == syntax.Attribute) && f.Src(c) == name {
			return true
		}
	}
	return false
}
