package rules

import (
	"github.com/trainvet/trainvet/analyzers/python/faultflow"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// tv202: what an exception means for the run is decided by its text. The text
// of a fault changes with every driver and framework.
func tv202() Rule {
	return Rule{
		Code:  "TV202",
		Needs: [][]string{{"except Exception", "except BaseException", "RuntimeError", "AcceleratorError", "except:"}},
		Check: func(f *File, r *Report) {
			for _, kind := range []syntax.Kind{syntax.Try, syntax.TryStar} {
				for try := range f.All(kind) {
					byMessage(f, r, try)
				}
			}
		},
	}
}

func byMessage(f *File, r *Report, try syntax.Node) {
	var src *faultflow.Source
	for h := range f.ChildrenOf(try, syntax.RoleHandler) {
		if !f.seesDevice(h) {
			continue
		}
		tests := f.Faults().TextTests(h)
		if len(tests) == 0 {
			continue
		}
		if src == nil {
			if src = f.Faults().SourceIn(try, syntax.RoleBody); src == nil || src.Kind == faultflow.Host {
				return
			}
		}
		for _, t := range tests {
			r.Add(f.messageFinding(h, t, src))
		}
	}
}

// seesDevice reports whether a handler sees what a device raises: everything,
// or the RuntimeError of the framework.
func (f *File) seesDevice(h syntax.Node) bool {
	t := f.Child(h, syntax.RoleType)
	if t == 0 {
		return true
	}
	for n := range f.Preorder(t) {
		switch string(f.Name(n)) {
		case "Exception", "BaseException", "RuntimeError", "AcceleratorError":
			return true
		}
	}
	return false
}

func (f *File) messageFinding(h syntax.Node, t faultflow.TextTest, src *faultflow.Source) Finding {
	out := Finding{At: t.Test, Handler: handlerLabel(f, h), Severity: site.Warning}
	out.Message = "whether an error of " + src.Name() + " ends the run is decided by its text, which every driver and framework words differently: a fault goes the way of an error that nobody thought of"
	if t.Where.Node == 0 || !f.Holds(t.Test, t.Where.Node) {
		out.Related = append(out.Related, f.textRelated(t))
	}
	out.Related = append(out.Related, f.sourceRelated(src)...)
	return out
}

// textRelated is the place where a text is looked at, here or in a function
// that is asked.
func (f *File) textRelated(t faultflow.TextTest) Related {
	rel := Related{At: t.Where.Node, Message: "the text of the error decides here: " + t.Where.Name}
	if t.Where.Node == 0 {
		rel.There = t.Where.At
	}
	return rel
}
