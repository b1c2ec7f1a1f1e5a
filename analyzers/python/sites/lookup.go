package sites

import (
	"iter"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// decodeFunction judges a call of a function that has the name of a decode. One
// that hands the ids on is a wrapper: the decode in it is the site.
func (f *Finder) decodeFunction(call, fun syntax.Node, name string) {
	f.left = budget
	v := f.byFunction(call, fun, name)
	if v.sort != token {
		f.beyond(func() { v = f.byFunction(call, fun, name) })
	}
	if v.sort != token {
		return
	}
	ids := f.ids(call)
	f.add(Site{Kind: site.Decode, Class: Token, Call: call, IDs: ids, Origin: f.origin(ids), By: v.by, ByName: true})
}

// byFunction judges a function that is called by its name alone, as projects
// have that look words up themselves: decode(ids), convert_to_text(ids, vocab).
func (f *Finder) byFunction(call, fun syntax.Node, name string) verdict {
	if positional, keywords := f.count(call); positional+keywords == 0 {
		return verdict{}
	}
	v := verdict{sort: token, by: "function " + name}
	if name != "decode" && f.givenVocabulary(call) {
		return v
	}
	for b := range f.lookup(fun, f.tree.Name(fun)) {
		switch {
		case b.How == names.Function && f.looksUp(b.Value):
			return v
		case b.How == names.Assign && f.tree.Kind(b.Value) == syntax.Lambda && f.looksUp(b.Value):
			return v
		case b.How == names.Assign && f.inverts(b.Value):
			return v
		case b.How == names.Param && f.known.grammar.looks(name):
			return v
		}
	}
	if f.calledLooksUp(call) {
		return v
	}
	return verdict{}
}

// inverts reports whether a layer is made that gives the words of numbers:
// StringLookup(vocabulary=words, invert=True) of Keras.
func (f *Finder) inverts(n syntax.Node) bool {
	v := f.keyword(n, f.known.invertKeyword.Has)
	return v != 0 && f.tree.Kind(v) == syntax.Constant && f.tree.Op(v) == syntax.True
}

// givenVocabulary reports whether a call is handed a vocabulary beside the ids.
func (f *Finder) givenVocabulary(call syntax.Node) bool {
	for a := range f.args(call) {
		if f.isVocabulary(a) || f.holdsWords(a) {
			return true
		}
	}
	return false
}

// byTable knows a function of a module that is handed the table it looks words
// up in: utils.decode(sequence=ids, lookup=meta["idx2word"]).
func (f *Finder) byTable(call, _ syntax.Node) verdict {
	if f.keyword(call, f.known.tableKeyword.Has) != 0 {
		return verdict{sort: token, by: "keyword"}
	}
	for c := range f.tree.Children(call) {
		switch f.tree.Role(c) {
		case syntax.RoleKeyword:
			c = f.tree.Child(c, syntax.RoleValue)
		case syntax.RoleArg:
		default:
			continue
		}
		name := f.key(c)
		if k := f.tree.Kind(c); k == syntax.Name || k == syntax.Attribute {
			name = f.tail(c)
		}
		if name != "" && (f.known.wordTable.Has(name) || f.known.grammar.holds(name)) {
			return verdict{sort: token, by: "table " + name}
		}
	}
	return verdict{}
}

// calledLooksUp reports whether the function that a call calls, in whichever
// file, looks words up.
func (f *Finder) calledLooksUp(call syntax.Node) bool {
	if !f.wide || !f.spend() {
		return false
	}
	fn := f.Across.Callee(f.file, call)
	if fn.Def == 0 {
		return false
	}
	g := f.in(fn.File)
	if g == nil {
		return false
	}
	defer f.back(g)
	return g.looksUp(fn.Def)
}

// looksUp reports whether a function turns ids into words by itself: it takes
// an entry out of a vocabulary by number, or asks one for it, or makes the
// character of a number. It is asked of functions alone whose name says that
// they decode: encoding looks words up too.
func (f *Finder) looksUp(def syntax.Node) bool { return f.looksUpIn(def, maxLookups) }

// maxLookups is through how many functions of a file a look-up is followed:
// "".join(map(decode_token, ids)).
const maxLookups = 2

func (f *Finder) looksUpIn(def syntax.Node, hops int) bool {
	if f.known.givesWords(f.low.of(f.tree.Name(def))) && f.joins(def) {
		return true
	}
	for n := range f.within(def) {
		switch f.tree.Kind(n) {
		case syntax.Subscript:
			if f.isEntry(n) {
				return true
			}
		case syntax.Name:
			if hops > 1 && f.namesLookup(n, def, hops) {
				return true
			}
		case syntax.Call:
			fun := f.function(n)
			name := f.tail(fun)
			if f.tree.Kind(fun) == syntax.Name && name == "chr" ||
				f.tree.Kind(fun) == syntax.Attribute && (f.known.vocabularyMethod.Has(name) || f.gets(n, name)) && f.holdsWords(f.tree.First(fun)) {
				return true
			}
		}
	}
	return false
}

// gets reports whether a call asks a dictionary for what stands under a number
// that is not spelled out.
func (f *Finder) gets(call syntax.Node, name string) bool {
	a := f.arg(call, 0)
	return name == "get" && a != 0 && !f.isString(a) && f.tree.Kind(a) != syntax.Constant
}

// namesLookup reports whether a name is that of another function of this file
// that looks words up.
func (f *Finder) namesLookup(n, def syntax.Node, hops int) bool {
	if !f.mayCall(f.tree.Name(n)) || f.known.role(f.low.of(f.tree.Name(n))) != decodeCall {
		return false
	}
	for b := range f.lookup(n, f.tree.Name(n)) {
		if b.How == names.Function && b.Value != def && f.looksUpIn(b.Value, hops-1) {
			return true
		}
	}
	return false
}

// within visits a function's nodes while they can be paid for.
func (f *Finder) within(def syntax.Node) iter.Seq[syntax.Node] {
	return func(yield func(syntax.Node) bool) {
		for n := range f.tree.Preorder(def) {
			if f.walk--; f.walk < 0 || !yield(n) {
				return
			}
		}
	}
}

// isEntry reports whether a subscript takes one word out of a vocabulary:
// itos[i], self.alphabet[i - 1], vocabulary["target"][i].
func (f *Finder) isEntry(n syntax.Node) bool {
	if !f.takesOne(n) {
		return false
	}
	object := f.tree.First(n)
	for f.tree.Kind(object) == syntax.Subscript {
		object = f.tree.First(object)
	}
	return f.holdsWords(object)
}

// takesOne reports whether a subscript reads one entry that is not spelled out.
func (f *Finder) takesOne(n syntax.Node) bool {
	if f.tree.Context(n) != syntax.Load || f.key(n) != "" {
		return false
	}
	index := f.tree.Child(n, syntax.RoleSlice)
	switch f.tree.Kind(index) {
	case syntax.Slice, syntax.Constant, syntax.UnaryOp:
		return false // the first character, the last
	case syntax.Name, syntax.Attribute:
		name := f.tree.Name(index) // a key that is a constant: results[Net.KEY_SCORE]
		return len(name) <= 1 || string(name) != strings.ToUpper(string(name))
	}
	return true
}

// holdsWords reports whether a name is that of a vocabulary, or of a table of
// words, as only functions that decode have them.
func (f *Finder) holdsWords(n syntax.Node) bool {
	if k := f.tree.Kind(n); k != syntax.Name && k != syntax.Attribute {
		return false
	}
	name := strings.TrimLeft(f.tail(n), "_")
	return f.known.vocabularyName.Has(name) || f.known.wordTable.Has(name) || f.known.grammar.holds(name)
}

// isWord reports whether an expression is a word already: src_dict[id].
func (f *Finder) isWord(n syntax.Node) bool {
	return f.tree.Kind(n) == syntax.Subscript && f.isEntry(n) && f.known.wordTable.Has(f.tail(f.tree.First(n)))
}
