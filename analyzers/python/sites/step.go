package sites

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/catalog"
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// step judges a call of a method that may step an optimizer or a scaler.
func (f *Finder) step(call, fun syntax.Node, method string) {
	f.left = budget
	object := f.tree.First(fun)
	var class Class
	var by string
	switch {
	case f.known.unscaleMethod.Has(method), f.known.updateMethod.Has(method) && f.isScaler(object):
		f.loose = append(f.loose, part{call, object})
		return
	case f.known.updateMethod.Has(method):
		if !f.updates(call, object) {
			return
		}
		class, by = Framework, "method "+method
	case f.known.frameworkStep.Has(method):
		class, by = f.frameworkStep(call, object, method)
	default:
		class, by = f.stepOf(call, object)
		if class == "" && by != "" {
			f.beyond(func() { class, by = f.stepOf(call, object) })
		}
	}
	switch {
	case class != "":
		f.add(Site{Kind: site.Step, Class: class, Call: call, By: by, ByName: true})
	case by != "":
		f.doubt(call, by)
	}
}

// updates reports whether update() steps an optimizer, as it does in MLX and
// Chainer. That of optax gives back what is to be added, and a dictionary may
// have any name.
func (f *Finder) updates(call, object syntax.Node) bool {
	_, keywords := f.count(call)
	return keywords == 0 && f.tree.Kind(f.tree.Parent(call)) == syntax.ExprStmt &&
		f.known.optimizerName.Has(f.tail(object)) && f.mentions(f.known.updateFramework)
}

// frameworkStep judges functions that step on behalf of a framework. A method
// that this file defines is a wrapper: the step in it is the site.
func (f *Finder) frameworkStep(call, object syntax.Node, method string) (Class, string) {
	self := f.names.IsSelf(object) || f.tail(object) == "super"
	if self {
		for b := range f.attr(f.names.Class(call), f.tree.Name(f.function(call))) {
			if b.How == names.Function && f.tail(object) != "super" {
				return "", ""
			}
		}
	}
	if method == "minimize" && f.known.minimizeNot.Has(f.tail(object)) || method == "minimize" && !f.known.optimizerName.Has(f.tail(object)) && !f.isBound(object, f.known.optimizerClass) ||
		method == "apply_updates" && !f.mentions(f.known.addingFramework) {
		return "", ""
	}
	return Framework, "method " + method
}

// stepOf judges a call of step() by what it is called on. Without a class, the
// second result says why that is in doubt; empty: it is no step of training.
func (f *Finder) stepOf(call, object syntax.Node) (Class, string) {
	name := f.tail(object)
	positional, keywords := f.count(call)
	switch {
	case f.isScheduler(object, name):
		return "", ""
	case f.isScaler(object):
		return Scaler, "name " + name
	case f.known.engineNot.Has(name):
		return "", ""
	case f.known.averagingName.Has(name):
		return "", ""
	case f.known.optimizerName.Has(name) || f.known.optimizerName.Has(f.key(object)), f.isOneOf(object):
		return Optimizer, "name " + name
	}
	if class := f.stepBinding(object); class != "" {
		return class, "binding of " + name
	}
	switch {
	case f.known.engineName.Has(name) && positional+keywords == 0:
		return Engine, "name " + name
	case f.known.otherStep.Has(name):
		return "", ""
	case f.keyword(call, f.known.stepKeyword.Has) != 0 || f.isClosure(call):
		return Optimizer, "closure"
	case name == "super" || f.names.IsSelf(object):
		return f.stepSelf(call, name)
	case positional+keywords == 0 && f.backward(call, object):
		return Engine, "backward on the same object"
	case positional+keywords == 0 && f.known.engineModel.Has(name) && f.mentions(f.known.engineWord):
		return Engine, "a model in a file that speaks of DeepSpeed"
	case positional+keywords == 0:
		return "", "nothing says whether an optimizer steps here"
	case positional == 1 && keywords == 0 && f.isOptimizer(f.arg(call, 0)):
		if f.known.steppingName.Has(name) {
			return Framework, "name " + name
		}
		return "", "it is handed an optimizer, as scalers are, and nothing says what it is"
	}
	return "", ""
}

func (f *Finder) isOptimizer(n syntax.Node) bool {
	k := f.tree.Kind(n)
	return (k == syntax.Name || k == syntax.Attribute) && f.known.optimizerName.Has(f.tail(n))
}

// isScheduler knows learning rate and diffusion schedulers.
func (f *Finder) isScheduler(object syntax.Node, name string) bool {
	if f.known.schedulerName.Has(name) || f.known.schedulerName.Has(f.key(object)) {
		return strings.Contains(name, "sched") || !optimizes(name)
	}
	return !f.known.optimizerName.Has(name) && f.isBound(object, f.known.schedulerClass)
}

// optimizes reports whether the name of a scheduler is one of an optimizer after
// all: lr_opt is the optimizer of learning rates.
func optimizes(name string) bool {
	return strings.Contains(name, "optim") || strings.HasSuffix(name, "_opt")
}

func (f *Finder) isScaler(object syntax.Node) bool {
	name := f.tail(object)
	if f.known.scalerName.Has(name) {
		return !f.known.scalerNot.Has(name)
	}
	return f.isBound(object, f.known.scalerClass)
}

func (f *Finder) isClosure(call syntax.Node) bool {
	a := f.arg(call, 0)
	return f.tree.Kind(a) == syntax.Lambda || strings.Contains(f.tail(a), "closure")
}

// isOneOf reports whether a name goes through optimizers: for o in self.optims.
func (f *Finder) isOneOf(n syntax.Node) bool {
	if f.tree.Kind(n) != syntax.Name {
		return false
	}
	b, ok := f.loopAround(n)
	if !ok {
		return false
	}
	all := f.iterated(b)
	if f.tree.Kind(all) == syntax.Call && f.tree.Kind(f.function(all)) == syntax.Attribute { // optims.values()
		all = f.tree.First(f.function(all))
	}
	return f.isOptimizer(all)
}

// stepSelf judges a step of the own class or of a base: an optimizer that
// wraps another one.
func (f *Finder) stepSelf(call syntax.Node, name string) (Class, string) {
	class := f.names.Class(call)
	if class == 0 {
		return "", ""
	}
	for _, c := range f.classNames(class) {
		if f.known.schedulerClass.Has(c) {
			return "", ""
		}
	}
	for _, c := range f.classNames(class) {
		if f.known.optimizerClass.Has(c) {
			return Optimizer, "class " + string(f.tree.Name(class))
		}
	}
	return "", ""
}

// stepBinding judges what the receiver is bound to.
func (f *Finder) stepBinding(object syntax.Node) Class {
	switch {
	case f.isBound(object, f.known.optimizerClass):
		return Optimizer
	case f.isBound(object, f.known.engineClass):
		return Engine
	}
	return ""
}

// isBound reports whether an expression is, or is bound to, what one of these
// classes or factories makes.
func (f *Finder) isBound(n syntax.Node, classes *catalog.Names) bool {
	return f.boundTo(n, classes, maxHops)
}

func (f *Finder) boundTo(n syntax.Node, classes *catalog.Names, hops int) bool {
	if n == 0 || hops == 0 || !f.spend() {
		return false
	}
	switch f.tree.Kind(n) {
	case syntax.Call:
		return f.makes(n, classes) || f.madeBeyond(n, classes, hops)
	case syntax.Subscript, syntax.Await:
		return f.boundTo(f.tree.First(n), classes, hops-1)
	case syntax.IfExp:
		return f.boundTo(f.tree.Child(n, syntax.RoleBody), classes, hops-1) || f.boundTo(f.tree.Child(n, syntax.RoleOrElse), classes, hops-1)
	case syntax.List, syntax.Tuple, syntax.ListComp:
		return f.boundTo(f.tree.First(n), classes, hops-1)
	case syntax.Name:
		for b := range f.lookup(n, f.tree.Name(n)) {
			if f.bindsTo(b, classes, hops) {
				return true
			}
		}
		return f.boundBeyond(n, classes, hops)
	case syntax.Attribute:
		if f.names.IsSelf(f.tree.First(n)) {
			for b := range f.attr(f.names.Class(n), f.tree.Name(n)) {
				if f.bindsTo(b, classes, hops) {
					return true
				}
			}
		}
		return f.boundBeyond(n, classes, hops)
	}
	return false
}

func (f *Finder) bindsTo(b names.Binding, classes *catalog.Names, hops int) bool {
	switch b.How {
	case names.Assign, names.With, names.Loop:
		if b.Part > 0 {
			return false // deepspeed.initialize gives the engine first
		}
		return f.boundTo(b.Value, classes, hops-1)
	case names.Annotation:
		for c := range f.tree.Preorder(b.Value) {
			k := f.tree.Kind(c)
			if k == syntax.Name && f.tree.Kind(f.tree.Parent(c)) == syntax.Attribute {
				continue // the module: optim.ModuleDictEMA
			}
			if (k == syntax.Name || k == syntax.Attribute) && classes.Has(f.low.of(f.tree.Name(c))) {
				return true
			}
		}
	}
	return false
}

// makes reports whether a call makes one of these classes: torch.optim.AdamW,
// get_optimizer, Adam.from_config; not what has the name of an object.
func (f *Finder) makes(call syntax.Node, classes *catalog.Names) bool {
	fun := f.function(call)
	if k := f.tree.Kind(fun); k != syntax.Name && k != syntax.Attribute {
		return false
	}
	name := f.tail(fun)
	if classes.Has(name) && f.constructs(fun, name) {
		return true
	}
	path, ok := f.dotted(fun)
	if !ok {
		return false
	}
	if i := strings.LastIndexByte(path, '.'); i > 0 {
		last := path[strings.LastIndexByte(path[:i], '.')+1:]
		return classes.Dotted() && classes.Has(last) || f.known.factory.Has(name) && classes.Has(f.tail(f.tree.First(fun)))
	}
	return false
}

// backward reports whether the same object has its backward called in the same
// function: then step() is the training step of an engine.
func (f *Finder) backward(call, object syntax.Node) bool {
	within := f.names.Function(call)
	if within == 0 {
		within = f.tree.Root()
	}
	found := false
	f.tree.Walk(within, func(n syntax.Node) syntax.Walk {
		if f.tree.Kind(n) == syntax.Attribute && string(f.tree.Name(n)) == "backward" && f.same(f.tree.First(n), object) {
			positional, _ := f.count(f.tree.Parent(n))
			found = found || f.tree.Role(n) == syntax.RoleFunc && positional > 0
		}
		if f.walk--; found || f.walk < 0 {
			return syntax.Stop
		}
		return syntax.Into
	})
	return found
}
