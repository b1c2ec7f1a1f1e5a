package rules

import (
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/faultflow"
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/sites"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// broadWords are what a handler that sees every exception is written with.
var broadWords = []string{"except:", "except :", "Exception", "suppress(", "finally", "except RuntimeError", "except (RuntimeError", ", RuntimeError"}

// checkWords are what a handler of the error of a check is written with.
var checkWords = []string{"except ValueError", "except IndexError", "except AssertionError"}

// tv201: a fault that is raised within a try, directly or in what it calls, is
// caught there and goes no further.
func tv201() Rule {
	return Rule{
		Code:  "TV201",
		Needs: [][]string{slices.Concat(broadWords, checkWords)},
		Check: func(f *File, r *Report) {
			for _, kind := range []syntax.Kind{syntax.Try, syntax.TryStar} {
				for try := range f.All(kind) {
					swallowed(f, r, try)
				}
			}
			for _, kind := range []syntax.Kind{syntax.With, syntax.AsyncWith} {
				for with := range f.All(kind) {
					suppressed(f, r, with)
				}
			}
			f.checksLost(r)
		},
	}
}

// swallowed looks at the handlers of a try, then at its finally block.
func swallowed(f *File, r *Report, try syntax.Node) {
	flow := f.Faults()
	if h := flow.Sees(try); h != 0 && flow.Loses(h) {
		if strings.Contains(strings.ToLower(string(f.Name(f.Function(try)))), "profile") {
			return // it measures operations of which some do not run here
		}
		if src := flow.SourceIn(try, syntax.RoleBody); src != nil && (flow.Broad(h) || f.runtimeLoses(h, try, src)) {
			r.Add(f.lost(h, try, src, handlerLabel(f, h)))
		}
		return
	}
	jump := flow.JumpsOut(try)
	if jump == 0 {
		return
	}
	if src := flow.SourceIn(try, syntax.RoleBody); src != nil {
		out := f.lost(jump, try, src, "finally")
		word := strings.ToLower(f.Kind(jump).String())
		out.Message = "a fault of " + src.Name() + " is dropped here: " + word + " in a finally block replaces the exception, and " + f.consequence(try)
		r.Add(out)
	}
}

// runtimeLoses reports whether a handler for RuntimeError, which faults are too, is
// this rule's: around a decode, or around the training with something written
// behind it. Of batches that are left out one by one TV203 speaks.
func (f *File) runtimeLoses(h, try syntax.Node, src *faultflow.Source) bool {
	switch src.Kind {
	case faultflow.Guard, faultflow.Decode:
		return true
	case faultflow.Step, faultflow.Backward:
		return f.Loop(try) == 0 && f.Faults().Artifact(f.Faults().After(h)...) != 0
	}
	return false
}

// checksLost reports the handlers of what a check of this file raises, where
// they let faults pass and so are nobody else's: except ValueError around a
// function that holds ids against the vocabulary and raises one.
func (f *File) checksLost(r *Report) {
	told := map[syntax.Node]bool{}
	for i := range f.States {
		call := f.Sites[i].Call
		for _, h := range f.States[i].Handlers {
			try := f.Parent(h.At)
			if !h.Own || !h.Lost || told[h.At] || f.Kind(h.At) != syntax.ExceptHandler || f.Faults().Sees(try) == h.At || f.Faults().Broad(h.At) {
				continue
			}
			told[h.At] = true
			r.Add(f.checkLost(h.At, try, call, f.States[i].Guard))
		}
	}
}

func (f *File) checkLost(h, try, call, guard syntax.Node) Finding {
	out := Finding{At: h, Handler: handlerLabel(f, h), Severity: site.Warning, Head: true}
	out.Message = "what the check before " + sites.Callee(f.Tree, call) + " raises is caught here and goes no further: " + f.consequence(try)
	out.Related = []Related{{At: guard, Message: "the ids are checked here"}}
	if f.Loop(try) != 0 || f.Faults().Artifact(f.Faults().After(h)...) != 0 {
		out.Severity = site.Error
	}
	return out
}

func suppressed(f *File, r *Report, with syntax.Node) {
	flow := f.Faults()
	item := flow.Suppressing(with)
	if item == 0 {
		return
	}
	if src := flow.SourceIn(with, syntax.RoleBody); src != nil {
		out := f.lost(item, with, src, "suppress")
		out.Message = "a fault of " + src.Name() + " is suppressed here, and " + f.consequence(with)
		r.Add(out)
	}
}

// handlerLabel names a handler as the ledger does.
func handlerLabel(f *File, h syntax.Node) string {
	t := f.Child(h, syntax.RoleType)
	if t == 0 {
		return "except"
	}
	return "except(" + strings.Join(strings.Fields(f.Src(t)), "") + ")"
}

// surelyFollowed is the number of hops, each resolved by name, that an error may
// rest on.
const surelyFollowed = 3

// lost is the report of a fault that is lost, with both of its ends. It is an
// error where the run goes on to a number: in a loop over items, or where
// something is written behind it.
func (f *File) lost(at, try syntax.Node, src *faultflow.Source, label string) Finding {
	out := Finding{At: at, Handler: label, Severity: site.Warning, Head: true}
	out.Message = "a fault of " + src.Name() + " is caught here and goes no further: " + f.consequence(try)
	out.Related = append(out.Related, f.sourceRelated(src)...)
	artifact := syntax.Node(0)
	if f.Kind(at) == syntax.ExceptHandler {
		for _, t := range f.Faults().TextTests(at) {
			out.Related = append(out.Related, f.textRelated(t))
		}
		after := f.Faults().After(at)
		if artifact = f.Faults().Artifact(after...); artifact != 0 {
			out.Related = append(out.Related, Related{At: artifact, Message: "written all the same"})
		}
		if fix, ok := f.passFault(at); ok {
			out.Fixes = []Fix{fix}
		}
	}
	switch {
	case src.Kind == faultflow.Host:
		out.Severity = site.Info
		out.Message = "an error of " + src.Name() + " is caught here and goes no further; its ids never left the host, so that no fault is among them today"
	case src.Kind == faultflow.Stored && src.Direct():
		out.Severity = site.Info
		out.Message = "an error of " + src.Name() + " is caught here and goes no further; its ids come from a data set, and a fault is among them only if they passed a device"
	case len(src.Hops) <= surelyFollowed && src.Kind != faultflow.Stored && (f.Loop(try) != 0 || artifact != 0):
		out.Severity = site.Error
	case f.Kind(at) == syntax.ExceptHandler && f.answers(at):
		out.Severity = site.Info
		out.Message = "an error of " + src.Name() + " is caught here and told to whoever asked, as one error among others: who asks again asks the same device"
	}
	return out
}

// consequence says what a lost fault becomes.
func (f *File) consequence(try syntax.Node) string {
	if f.Loop(try) != 0 {
		return "it becomes one item that failed, and the rest is computed on the same device"
	}
	return "whoever called this takes what is left for a result"
}

// sourceRelated are the hops of a source.
func (f *File) sourceRelated(src *faultflow.Source) []Related {
	var out []Related
	for i, h := range src.Hops {
		rel := Related{At: h.Node, Message: h.Name + " is called here"}
		if i == len(src.Hops)-1 {
			rel.Message = h.Name + " " + sourceWords(src.Kind)
		}
		if h.Node == 0 {
			rel.There = h.At
		}
		out = append(out, rel)
	}
	return out
}

func sourceWords(k faultflow.Kind) string {
	switch k {
	case faultflow.Guard:
		return "is a guard and raises the fault"
	case faultflow.Decode, faultflow.Stored:
		return "decodes ids: the fault is found here"
	case faultflow.Step:
		return "steps an optimizer: the fault is found here"
	case faultflow.Backward:
		return "runs on the device and raises when it fails"
	}
	if k == faultflow.Host {
		return "decodes ids that were made on the host"
	}
	return "generates on the device and raises when it fails"
}

// passFault is the change that lets a fault pass before a broad handler, with
// the import that it needs.
func (f *File) passFault(h syntax.Node) (Fix, bool) {
	indent := f.indent(h)
	if f.Start(h) < len(indent) || f.Kind(f.Parent(h)) == syntax.TryStar {
		return Fix{}, false
	}
	at := f.Start(h)
	edits := []Edit{{at, at, "except trainvet.Fault:\n" + indent + "    raise\n" + indent}}
	if !f.importsTrainvet() {
		first := f.firstImport()
		if first == 0 {
			return Fix{}, false
		}
		edits = append([]Edit{{f.Start(first), f.Start(first), "import trainvet\n"}}, edits...)
	}
	return Fix{Message: "let a fault pass", Edits: edits}, true
}

// importsTrainvet reports whether the name trainvet stands for the module
// everywhere in the file.
func (f *File) importsTrainvet() bool {
	for b := range f.Names.Bindings(f.Root(), []byte("trainvet")) {
		if b.How == names.Import {
			return true
		}
	}
	return false
}

// firstImport is the first import at the top of the file that another one may
// stand before.
func (f *File) firstImport() syntax.Node {
	for s := range f.Children(f.Root()) {
		switch f.Kind(s) {
		case syntax.Import:
			return s
		case syntax.ImportFrom:
			if string(f.Name(f.Child(s, syntax.RoleModule))) != "__future__" {
				return s
			}
		}
	}
	return 0
}
