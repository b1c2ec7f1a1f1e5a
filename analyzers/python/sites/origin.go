package sites

import (
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// origin says where ids come from: a model made them, a dataset or tokenizer
// gave them, the source spells them out.
func (f *Finder) origin(n syntax.Node) string {
	f.left = budget
	o := f.from(n, maxHops)
	if o == "" {
		f.beyond(func() { o = f.from(n, maxHops) })
	}
	if o == "" {
		return Unknown
	}
	return o
}

func (f *Finder) from(n syntax.Node, hops int) string {
	if n == 0 || hops == 0 || !f.spend() {
		return ""
	}
	switch f.tree.Kind(n) {
	case syntax.Constant:
		if f.tree.Op(n) == syntax.Int {
			return Constant
		}
	case syntax.List, syntax.Tuple:
		return f.fromElements(n, hops)
	case syntax.ListComp, syntax.GeneratorExp, syntax.Starred, syntax.Await, syntax.BinOp:
		return f.from(f.tree.First(n), hops-1)
	case syntax.IfExp, syntax.BoolOp:
		for c := range f.tree.Children(n) {
			if o := f.from(c, hops-1); o != "" && f.tree.Role(c) != syntax.RoleTest {
				return o
			}
		}
	case syntax.Subscript:
		if o := f.originName(f.key(n)); o != "" {
			return o
		}
		return f.from(f.tree.First(n), hops)
	case syntax.Call:
		return f.fromCall(n, hops)
	case syntax.Name:
		return f.fromName(n, hops)
	case syntax.Attribute:
		return f.fromAttribute(n, hops)
	}
	return ""
}

// fromElements: a list that is spelled out is constant when all of it is.
func (f *Finder) fromElements(n syntax.Node, hops int) string {
	all := ""
	for e := range f.tree.Children(n) {
		o := f.from(e, hops-1)
		if o != Constant {
			return o
		}
		all = o
	}
	return all
}

func (f *Finder) fromCall(call syntax.Node, hops int) string {
	fun := f.function(call)
	name := f.tail(fun)
	method := f.tree.Kind(fun) == syntax.Attribute
	switch {
	case method && f.known.carryMethod.Has(name):
		if o := f.from(f.tree.First(fun), hops-1); o != "" || !f.known.carryFunction.Has(name) {
			return o
		}
		return f.from(f.arg(call, 0), hops-1) // torch.tensor(ids)
	case name == "range", method && f.known.constantName.Has(name): // sp.eos_id()
		return Constant
	case f.known.generatedCall.Has(name):
		return Generated
	case f.known.dataCall.Has(name):
		return Data
	case name == "map":
		return f.from(f.arg(call, 1), hops-1)
	case f.known.carryFunction.Has(name):
		return f.from(f.arg(call, 0), hops-1)
	}
	out := ""
	f.returned(call, func(g *Finder, value syntax.Node) bool {
		out = g.from(value, hops-1)
		return out != ""
	})
	return out
}

func (f *Finder) fromName(n syntax.Node, hops int) string {
	if b, ok := f.loopAround(n); ok {
		if o := f.from(f.iterated(b), hops-1); o != "" {
			return o
		}
	}
	begun := false
	for b := range f.lookup(n, f.tree.Name(n)) {
		switch b.How {
		case names.Assign, names.Loop, names.With, names.Augment:
			if f.tree.Kind(b.Value) == syntax.List {
				begun = true // and what it is filled with counts
				break
			}
			if o := f.from(f.iterated(b), hops-1); o != "" {
				return o
			}
		}
	}
	if begun {
		if o := f.grown(n, hops); o != "" {
			return o
		}
	}
	return f.originName(f.low.of(f.tree.Name(n)))
}

// grown says where the elements of a list come from: those that are appended to
// it, or those that it is made with.
func (f *Finder) grown(list syntax.Node, hops int) string {
	name := f.tree.Name(list)
	within := f.names.Function(list)
	if within == 0 {
		within = f.tree.Root()
	}
	for n := range f.within(within) {
		if f.tree.Kind(n) != syntax.Call {
			continue
		}
		fun := f.function(n)
		if f.tree.Kind(fun) != syntax.Attribute || !f.known.growMethod.Has(f.tail(fun)) {
			continue
		}
		object := f.tree.First(fun)
		for f.tree.Kind(object) == syntax.Subscript {
			object = f.tree.First(object) // rows[i].append(id)
		}
		if f.tree.Kind(object) == syntax.Name && string(f.tree.Name(object)) == string(name) {
			if o := f.from(f.arg(n, 0), hops-1); o != "" && o != Constant { // a list grows by what is not known before
				return o
			}
		}
	}
	for b := range f.lookup(list, name) {
		if f.tree.Kind(b.Value) == syntax.List {
			if o := f.from(b.Value, hops-1); o != "" {
				return o
			}
		}
	}
	return ""
}

func (f *Finder) fromAttribute(n syntax.Node, hops int) string {
	name := f.low.of(f.tree.Name(n))
	if o := f.originName(name); o != "" {
		return o
	}
	if f.names.IsSelf(f.tree.First(n)) {
		for b := range f.attr(f.names.Class(n), f.tree.Name(n)) {
			if b.How == names.Assign {
				if o := f.from(b.Value, hops-1); o != "" {
					return o
				}
			}
		}
		return ""
	}
	return f.from(f.tree.First(n), hops-1)
}

func (f *Finder) originName(name string) string {
	switch {
	case name == "":
		return ""
	case f.known.generatedName.Has(name):
		return Generated
	case f.known.constantName.Has(name):
		return Constant
	case f.known.dataName.Has(name) && !f.wide: // labels within a function are what it makes of a model's output, too
		return Data
	}
	return ""
}
