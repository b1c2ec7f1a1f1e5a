package sites

import (
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// ids is the argument of a decode that holds the ids; 0: none is seen.
func (f *Finder) ids(call syntax.Node) syntax.Node {
	if a := f.arg(call, 0); a != 0 {
		if b := f.arg(call, 1); b != 0 && f.isVocabulary(a) && f.known.decodeVocabulary.Has(f.tail(f.function(call))) {
			return b
		}
		return a
	}
	return f.keyword(call, f.known.idsKeyword.Has)
}

// argument says what a decode is given, by its first argument. What only has
// the name of text is text in the frameworks whose tokenizers join words; the
// tokenizers of others take ids under any name.
func (f *Finder) argument(call syntax.Node) sort {
	a := f.ids(call)
	if a == 0 {
		for k := range f.tree.ChildrenOf(call, syntax.RoleKeyword) {
			if f.argSort(f.low.of(f.tree.Name(k))) == unclear {
				return unclear // output_file_path=path
			}
			a = f.tree.Child(k, syntax.RoleValue)
			break
		}
	}
	s := f.given(a, maxHops)
	if f.tree.Kind(a) == syntax.Constant {
		s = unclear // a number alone may be anything: decoder.decode(2)
	}
	if s == named {
		s = unclear
		if f.mentions(f.known.wordFramework) {
			s = pieces
		}
	}
	return s
}

// given says what an expression holds, as an argument of a decode.
func (f *Finder) given(n syntax.Node, hops int) sort {
	if n == 0 || hops == 0 || !f.spend() {
		return unclear
	}
	switch f.tree.Kind(n) {
	case syntax.Call:
		return f.givenCall(n, hops)
	case syntax.Starred, syntax.Await:
		return f.given(f.tree.First(n), hops)
	case syntax.Subscript:
		if s := f.argSort(f.key(n)); s != unclear {
			return s
		}
		if f.isWord(n) {
			return pieces
		}
		return f.given(f.tree.First(n), hops)
	case syntax.BinOp:
		return f.either(f.tree.Child(n, syntax.RoleLeft), f.tree.Child(n, syntax.RoleRight), hops)
	case syntax.IfExp, syntax.BoolOp:
		for c := range f.tree.Children(n) {
			if s := f.given(c, hops-1); s != unclear && f.tree.Role(c) != syntax.RoleTest {
				return s
			}
		}
	case syntax.List, syntax.Tuple, syntax.ListComp, syntax.GeneratorExp:
		if f.isString(f.tree.First(n)) {
			return pieces // ["he", "##llo"]
		}
		return f.given(f.tree.First(n), hops-1)
	case syntax.JoinedStr:
		return pieces
	case syntax.Constant:
		if f.tree.Op(n) == syntax.Int {
			return token
		}
	case syntax.Name:
		return f.givenName(n, hops)
	case syntax.Attribute:
		return f.givenAttribute(n, hops)
	}
	return unclear
}

func (f *Finder) either(a, b syntax.Node, hops int) sort {
	if s := f.given(a, hops-1); s != unclear {
		return s
	}
	return f.given(b, hops-1)
}

// givenName joins what the bindings of a name say, and then the name itself.
func (f *Finder) givenName(n syntax.Node, hops int) sort {
	own := f.argSort(f.low.of(f.tree.Name(n)))
	for b := range f.lookup(n, f.tree.Name(n)) {
		var s sort
		switch b.How {
		case names.Annotation:
			s = f.givenType(b.Value)
		case names.Loop:
			if b.Part != names.Whole && own != unclear {
				break // one of several that a loop gives: its name says which
			}
			s = f.given(f.iterated(b), hops-1)
		case names.Assign:
			if f.tree.Kind(b.Value) != syntax.Name || f.tree.Source(b.Value) != nil && !f.same(b.Value, n) {
				s = f.given(b.Value, hops-1)
			}
			if b.Part != names.Whole && s != token {
				s = unclear // one of several things: what they come from says nothing of it
			}
		}
		if s == pieces && (f.holds(b.Value, n) || f.tree.Start(b.Value) > f.tree.Start(n) && f.reused(n)) {
			continue // t = tokenizer.decode(t).split(): what it is bound to by this, or later
		}
		if s == pieces && own == token && b.How != names.Annotation && !f.known.givesWords(f.tail(f.function(f.element(b.Value)))) {
			continue // bound to its text somewhere else: hyp = sp.decode(hyp).split()
		}
		if s != unclear {
			return s
		}
	}
	return own
}

// element is what a comprehension collects; anything else is itself.
func (f *Finder) element(n syntax.Node) syntax.Node {
	if f.tree.Kind(n) == syntax.ListComp {
		return f.tree.First(n)
	}
	return n
}

// reused reports whether what a name stands in is bound to the same name: then
// its other bindings may be what became of it.
func (f *Finder) reused(n syntax.Node) bool {
	for b := range f.lookup(n, f.tree.Name(n)) {
		if b.How == names.Assign && f.holds(b.Value, n) {
			return true
		}
	}
	return false
}

// holds reports whether an expression stands in another.
func (f *Finder) holds(whole, n syntax.Node) bool {
	return f.tree.Start(whole) <= f.tree.Start(n) && f.tree.End(n) <= f.tree.End(whole)
}

// givenType knows text by its annotation.
func (f *Finder) givenType(n syntax.Node) sort {
	switch string(f.tree.Source(n)) {
	case "str", "List[str]", "list[str]", "Optional[str]", "str | None", "Sequence[str]":
		return pieces
	case "bytes":
		return raw
	case "List[int]", "list[int]", "torch.LongTensor", "Sequence[int]", "Iterable[int]", "List[List[int]]", "int":
		return token
	}
	return unclear
}

func (f *Finder) givenAttribute(n syntax.Node, hops int) sort {
	name := f.low.of(f.tree.Name(n))
	if s := f.argSort(name); s != unclear {
		return s
	}
	if object := f.tree.First(n); f.names.IsSelf(object) {
		for b := range f.attr(f.names.Class(n), f.tree.Name(n)) {
			if b.How == names.Assign {
				if s := f.given(b.Value, hops-1); s != unclear {
					return s
				}
			}
		}
	} else if f.known.carryMethod.Has(name) {
		return f.given(object, hops-1)
	}
	return unclear
}

// givenCall judges what a call hands over.
func (f *Finder) givenCall(call syntax.Node, hops int) sort {
	fun := f.function(call)
	name := f.tail(fun)
	method := f.tree.Kind(fun) == syntax.Attribute
	switch {
	case f.known.givesWords(name):
		return pieces
	case method && (name == "join" || name == "string" || name == "replace"):
		return pieces
	case method && name == "decode" && f.isVocabulary(f.tree.First(fun)):
		return pieces
	case method && name == "split":
		return f.splits(call, hops)
	case name == "int":
		return token
	case name == "cast":
		return f.either(f.arg(call, 1), 0, hops)
	case name == "argmax" || name == "generate" || method && (name == "encode" || name == "batch_encode") && f.named(f.tree.First(fun)) == token:
		return token
	case name == "map" && f.tail(f.arg(call, 0)) == "int":
		return token
	case name == "randn" || name == "randn_like" || name == "zeros" || name == "rand":
		return latent
	case method && f.known.carryMethod.Has(name):
		if s := f.given(f.tree.First(fun), hops-1); s != unclear || name != "tolist" {
			return s
		}
		return token // only ids are listed for a decode
	case f.known.carryFunction.Has(name):
		return f.given(f.arg(call, 0), hops-1)
	}
	return f.argSort(name)
}

// splits tells the split of a string from that of a tensor.
func (f *Finder) splits(call syntax.Node, hops int) sort {
	first := f.arg(call, 0)
	if first == 0 || f.isString(first) {
		return pieces
	}
	return f.given(f.tree.First(f.function(call)), hops-1)
}

// argSort judges the name of an argument. A name that is listed as it stands is
// worth more than a pattern, and what it ends with more than what it begins with:
// hypo_str is text.
func (f *Finder) argSort(name string) sort {
	switch {
	case name == "":
		return unclear
	case f.known.tokenArg.Whole(name):
		return token
	case f.known.asrArg.Has(name):
		return speech
	case f.known.latentArg.Has(name):
		return latent
	case f.known.stringArg.Has(name):
		return named
	case f.known.tokenArg.Has(name):
		return token
	}
	return unclear
}
