package sites

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// implicit judges a call that may hide a decode or a step in a framework.
func (f *Finder) implicit(call, fun syntax.Node, name string) {
	f.left = budget
	method := f.tree.Kind(fun) == syntax.Attribute
	object := syntax.Node(0)
	if method {
		object = f.tree.First(fun)
	}
	switch {
	case name == "pipeline":
		if f.importedFrom(fun, f.known.pipelineModule) && !f.quiet(call) {
			f.hide(call, Pipeline, "transformers.pipeline")
		}
	case f.known.streamer.Has(name):
		f.hide(call, Streamer, "class "+string(f.tree.Name(fun)))
	case name == "transcribe":
		if method && !f.names.IsSelf(object) || !method && f.importedFrom(fun, f.known.asrModule) {
			f.hide(call, Speech, "method transcribe")
		}
	case !method:
	case f.known.servingMethod.Has(name):
		if f.serves(object) {
			f.hide(call, Serving, "binding of "+f.tail(object))
		}
	case f.known.updateParams.Has(name):
		if f.known.optimizerName.Has(f.tail(object)) {
			f.hide(call, Params, "method "+name)
		}
	case f.known.trainerStep.Has(name) && f.trains(object):
		f.hide(call, Trainer, "name "+f.tail(object))
	}
	f.byPattern(call, fun, name)
}

func (f *Finder) hide(call syntax.Node, class Class, by string) {
	s := Site{Kind: site.Implicit, Class: class, Call: call, By: by}
	if class.Decodes() {
		s.Origin = Generated
	}
	f.add(s)
}

// byPattern judges what no single name tells: loss scalers that are called,
// and the keyword that makes a trainer decode.
func (f *Finder) byPattern(call, fun syntax.Node, name string) {
	if strings.HasSuffix(name, "scaler") && f.known.scalerCall.Has(name) {
		if positional, keywords := f.count(call); positional+keywords > 1 && positional > 0 {
			f.hide(call, Hidden, "call of "+f.tail(fun))
			return
		}
	}
	if !f.known.predictCallee.Has(name) {
		return
	}
	if v := f.keyword(call, f.known.predict.Has); v != 0 && !(f.tree.Kind(v) == syntax.Constant && f.tree.Op(v) != syntax.True) {
		f.hide(call, Predict, "keyword predict_with_generate")
	}
}

// quiet reports whether a pipeline's task gives no generated text.
func (f *Finder) quiet(call syntax.Node) bool {
	task := f.arg(call, 0)
	if task == 0 {
		task = f.keyword(call, func(k string) bool { return k == "task" })
	}
	v, ok := f.tree.StringValue(task)
	return ok && f.known.pipelineQuiet.Has(f.low.of(v))
}

// importedFrom reports whether a callee was imported from one of these modules: by
// name, or as an attribute of the module.
func (f *Finder) importedFrom(fun syntax.Node, modules *catalog.Names) bool {
	for b := range f.lookup(fun, f.head(fun)) {
		switch b.How {
		case names.From:
			full := f.imported(b)
			if f.tree.Kind(fun) == syntax.Name {
				full = full[:max(0, strings.LastIndexByte(full, '.'))]
			}
			if modules.Has(full) {
				return true
			}
		case names.Import:
			if modules.Has(f.low.of(f.tree.Name(b.Value))) {
				return true
			}
		}
	}
	return false
}

// trains reports whether an object is a trainer of a model; those of
// tokenizers are none.
func (f *Finder) trains(object syntax.Node) bool {
	name := f.tail(object)
	return f.known.trainerName.Has(name) && !f.known.trainerNot.Has(name) && !f.isBound(object, f.known.trainerNot)
}

// serves reports whether an object is an inference engine that answers with
// text.
func (f *Finder) serves(object syntax.Node) bool {
	return f.servesHop(object, maxHops)
}

func (f *Finder) servesHop(n syntax.Node, hops int) bool {
	if n == 0 || hops == 0 || !f.spend() {
		return false
	}
	bound := func(b names.Binding) bool {
		return b.How == names.Assign && b.Part <= 0 && f.servesHop(b.Value, hops-1)
	}
	switch f.tree.Kind(n) {
	case syntax.Call:
		fun := f.function(n)
		return f.known.servingClass.Has(f.tail(fun)) && f.importedFrom(fun, f.known.servingModule) ||
			f.known.factory.Has(f.tail(fun)) && f.known.servingClass.Has(f.before(fun)) && f.importedFrom(f.tree.First(fun), f.known.servingModule)
	case syntax.Name:
		for b := range f.lookup(n, f.tree.Name(n)) {
			if bound(b) {
				return true
			}
		}
	case syntax.Attribute:
		if f.names.IsSelf(f.tree.First(n)) {
			for b := range f.attr(f.names.Class(n), f.tree.Name(n)) {
				if bound(b) {
					return true
				}
			}
		}
	}
	return false
}
