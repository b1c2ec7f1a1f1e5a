package sites

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// maxHops is how far bindings are followed: a = b, b = c.
const maxHops = 5

// object says what an expression decodes by what it is bound to.
func (f *Finder) object(n syntax.Node) (sort, string) {
	s := f.value(n, maxHops)
	if s == unclear {
		return s, ""
	}
	return s, "binding of " + f.tail(n)
}

// value says what an expression is.
func (f *Finder) value(n syntax.Node, hops int) sort {
	if n == 0 || hops == 0 || !f.spend() {
		return unclear
	}
	switch f.tree.Kind(n) {
	case syntax.Constant:
		if f.tree.Op(n) == syntax.Bytes {
			return raw
		}
	case syntax.Call:
		return f.made(n, hops)
	case syntax.Await:
		return f.value(f.tree.First(n), hops)
	case syntax.IfExp, syntax.BoolOp:
		for c := range f.tree.Children(n) {
			if f.tree.Role(c) == syntax.RoleTest {
				continue
			}
			if s := f.value(c, hops-1); s != unclear {
				return s
			}
		}
	case syntax.Subscript:
		return f.value(f.tree.First(n), hops-1)
	case syntax.Name:
		return f.bound(n, hops)
	case syntax.Attribute:
		return f.attribute(n, hops)
	}
	return unclear
}

// bound joins what a name is bound to: the first binding that says something.
func (f *Finder) bound(n syntax.Node, hops int) sort {
	for b := range f.lookup(n, f.tree.Name(n)) {
		if s := f.binding(b, hops); s != unclear {
			return s
		}
	}
	return f.elsewhere(n, hops)
}

func (f *Finder) binding(b names.Binding, hops int) sort {
	switch b.How {
	case names.Assign, names.With, names.Loop:
		if b.Part != names.Whole && f.tree.Kind(b.Value) == syntax.Call {
			return unclear // one of several results
		}
		return f.value(b.Value, hops-1)
	case names.Annotation:
		return f.annotation(b.Value)
	case names.Param:
		return f.value(b.Value, hops-1)
	}
	return unclear
}

// attribute looks up what a class binds to an attribute of self. Of other
// objects only bytes are known: the output of a process.
func (f *Finder) attribute(n syntax.Node, hops int) sort {
	object := f.tree.First(n)
	if f.names.IsSelf(object) {
		for b := range f.attr(f.names.Class(n), f.tree.Name(n)) {
			if s := f.binding(b, hops); s != unclear {
				return s
			}
		}
	}
	return f.elsewhere(n, hops)
}

// annotation judges a type by the names in it: Optional[PreTrainedTokenizer].
func (f *Finder) annotation(n syntax.Node) sort {
	for c := range f.tree.Preorder(n) {
		name := ""
		switch f.tree.Kind(c) {
		case syntax.Name, syntax.Attribute:
			name = f.low.of(f.tree.Name(c))
		case syntax.Constant:
			if v, ok := f.tree.StringValue(c); ok {
				name = f.low.of(v[strings.LastIndexByte(string(v), '.')+1:])
			}
		}
		switch {
		case name == "bytes" || name == "bytearray":
			return raw
		case name == "encoding" || name == "tokenizer":
			return token
		case strings.Contains(name, " "):
		default:
			if s := f.classSort(name); s != unclear {
				return s
			}
		}
	}
	return unclear
}

// classSort judges the name of a class or factory, media before tokenizers.
func (f *Finder) classSort(name string) sort {
	switch {
	case name == "":
		return unclear
	case f.known.latentClass.Has(name):
		return latent
	case f.known.stringClass.Has(name):
		return pieces
	case f.known.tokenClass.Has(name), strings.HasSuffix(name, "hubinterface"):
		return token
	case f.known.processorClass.Has(name):
		return processor
	case f.known.otherClass.Has(name):
		return other
	case f.known.asrClass.Has(name):
		return speech
	}
	return unclear
}

// made says what a call makes: a class's object, what a factory returns, bytes.
func (f *Finder) made(call syntax.Node, hops int) sort {
	fun := f.function(call)
	name := f.tail(fun)
	if k := f.tree.Kind(fun); k != syntax.Name && k != syntax.Attribute {
		return unclear
	}
	if path, ok := f.dotted(fun); ok && strings.Contains(path, ".") {
		last := path[strings.LastIndexByte(path[:strings.LastIndexByte(path, '.')], '.')+1:]
		switch {
		case f.known.otherClass.Has(last):
			return other
		case f.known.stringClass.Has(last):
			return pieces
		}
	}
	switch {
	case f.known.instantiate.Has(name):
		return f.instantiated(call, hops)
	case f.constructs(fun, name):
		if s := f.classSort(name); s != unclear {
			return s
		}
	case f.known.factory.Has(name) && f.tree.Kind(fun) == syntax.Attribute:
		return f.classSort(f.tail(f.tree.First(fun)))
	case f.known.bytesClass.Has(name), name == "encode" && f.ofText(fun, call):
		return raw
	case f.known.carryMethod.Has(name) && f.tree.Kind(fun) == syntax.Attribute:
		return f.value(f.tree.First(fun), hops-1)
	}
	return f.madeBy(call, hops)
}

// constructs reports whether a callee is a class or is named as what makes
// something: tokenizer(text) is a call of one, get_tokenizer(name) makes one.
func (f *Finder) constructs(fun syntax.Node, low string) bool {
	name := f.tree.Name(fun)
	return string(name) != low && name[0] != '_' || f.known.factoryVerb.Has(low) || f.known.stringClass.Has(low) || low == "vocab"
}

// instantiated judges what a configuration stands for by its name.
func (f *Finder) instantiated(call syntax.Node, hops int) sort {
	arg := f.arg(call, 0)
	if s := f.value(arg, hops-1); s != unclear {
		return s
	}
	return f.named(arg)
}

// ofText reports whether encode makes bytes: of a string, or into a named
// encoding.
func (f *Finder) ofText(fun, call syntax.Node) bool {
	first := f.arg(call, 0)
	return first == 0 && f.keyword(call, func(string) bool { return true }) == 0 || f.isString(first) || f.known.encodingName.Has(f.tail(first)) || f.isString(f.tree.First(fun))
}
