package sites

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// sort is what comes out of a decode, or what an object decodes.
type sort uint8

const (
	unclear   sort = iota
	token          // ids become text
	processor      // of ids or of audio: the argument says
	pieces         // text becomes text
	latent         // media come out of latents
	raw            // bytes become text
	speech         // features or logits become text within a library
	network        // tensors become tensors, unless a name says otherwise
	named          // has the name of text; no more is known of it
	other          // containers, entropy coders, network steps
)

// verdict is what a call decodes, and the rule that says so.
type verdict struct {
	sort sort
	by   string
	weak bool // what the receiver is made of may say something else
}

// decode judges a call of a method that decodes.
func (f *Finder) decode(call, fun syntax.Node, method string) {
	f.left = budget
	v := f.judge(call, fun, method)
	if v.sort == unclear || v.weak {
		f.beyond(func() {
			w := f.judge(call, fun, method)
			// A name says more than that its object is a network: a tokenizer
			// may be one.
			if w.sort != unclear && (w.sort != network || v.sort == unclear || v.by == ruleArgument) {
				v = w
			}
		})
	}
	switch v.sort {
	case token:
		ids := f.ids(call)
		f.add(Site{Kind: site.Decode, Class: Token, Call: call, IDs: ids, Origin: f.origin(ids), By: v.by, ByName: true})
	case unclear:
		f.doubt(call, "nothing says whether ids become text here")
	}
}

// judge finds out what a call decodes: the first rule that knows.
func (f *Finder) judge(call, fun syntax.Node, method string) verdict {
	object := f.tree.First(fun)
	switch {
	case f.known.decodeVocabulary.Has(method), f.known.givesWords(method):
		return f.byVocabulary(call, object, method)
	case method != "decode":
		return f.byMethod(call, object, method)
	}
	for _, rule := range []func(call, object syntax.Node) verdict{
		f.byKeyword, f.byModule, f.byEncoding, f.byBinding, f.byName, f.bySelf, f.byTable, f.byArgument,
	} {
		if v := rule(call, object); v.sort != unclear {
			return v
		}
	}
	return verdict{}
}

// byMethod judges names that say it by themselves, and the few that others
// use too.
func (f *Finder) byMethod(call, object syntax.Node, method string) verdict {
	by := "method " + method
	what, _ := f.object(object)
	called := f.named(object)
	media := what == latent || what == unclear && called == latent
	switch {
	case f.known.decodeWeak.Has(method):
		if v := f.byModule(call, object); v.sort != unclear {
			return v
		}
		switch {
		case media || f.media(call) && what != token && called != token:
			return verdict{sort: latent, by: by}
		case what == pieces || called == pieces || f.argument(call) == pieces:
			return verdict{sort: pieces, by: by}
		case what == other || what == network || what == raw || what == speech:
			return verdict{sort: what, by: by}
		}
		if called == unclear && what == unclear && f.argument(call) != token {
			return f.bySelf(call, object)
		}
	case method == "batch_decode":
		if media && f.keyword(call, f.known.tokenKeyword.Has) == 0 {
			return verdict{sort: latent, by: by}
		}
		if f.argument(call) == speech {
			return verdict{sort: speech, by: by}
		}
	}
	return verdict{sort: token, by: by, weak: f.known.decodeWeak.Has(method) && what != token}
}

// media reports whether a class around a call is one that decodes to media.
func (f *Finder) media(call syntax.Node) bool {
	class := f.names.Class(call)
	return class != 0 && f.known.latentClass.Has(f.low.of(f.tree.Name(class)))
}

func (f *Finder) byKeyword(call, object syntax.Node) verdict {
	for _, k := range []struct {
		has  func(string) bool
		sort sort
	}{
		{f.known.tokenKeyword.Has, token}, {f.known.bytesKeyword.Has, raw}, {f.known.latentKeyword.Has, latent},
	} {
		if f.keyword(call, k.has) == 0 {
			continue
		}
		if k.sort == raw && f.handles(call, object) || k.sort == token && f.codes(call, object) {
			continue
		}
		return verdict{sort: k.sort, by: "keyword"}
	}
	return verdict{}
}

// handles reports whether a tokenizer is told what to do with errors: some are,
// as bytes are.
func (f *Finder) handles(call, object syntax.Node) bool {
	ids := f.ids(call)
	return ids != 0 && !f.isString(ids) && f.named(object) == token && !f.weakName(object)
}

// codes reports whether a codec is given token ids by name: some language models
// speak in ids that a codec turns into sound.
func (f *Finder) codes(call, object syntax.Node) bool {
	return f.named(object) == latent && f.keyword(call, func(k string) bool {
		return f.known.tokenKeyword.Has(k) && !f.known.idsKeyword.Has(k)
	}) == 0
}

// byModule judges functions of imported modules.
func (f *Finder) byModule(_, object syntax.Node) verdict {
	if f.tree.Kind(object) == syntax.Call || strings.Contains(f.tail(object), "webdataset") {
		if f.chainHas(object, "webdataset") {
			return verdict{sort: other, by: "module"}
		}
		return verdict{}
	}
	path, ok := f.dotted(object)
	if !ok {
		return verdict{}
	}
	name, rest, _ := strings.Cut(path, ".")
	if f.names.Resolve(object, f.head(object)) == 0 && f.known.bytesModule.Has(path) {
		return verdict{sort: raw, by: "module"} // bytes.decode(b)
	}
	for b := range f.names.Lookup(object, f.head(object)) {
		if b.How != names.Import && b.How != names.From {
			return verdict{}
		}
		full := f.imported(b)
		if rest != "" && b.How == names.Import {
			full = strings.TrimSuffix(full, "."+rest) + "." + rest
		}
		switch {
		case f.known.otherModule.Has(full) || f.known.otherModule.Has(path) || rest == "" && f.known.otherModule.Has(name):
			return verdict{sort: other, by: "module"}
		case f.known.bytesModule.Has(full):
			return verdict{sort: raw, by: "module"}
		case f.known.asrModule.Has(full) || f.known.asrModule.Has(name):
			return verdict{sort: speech, by: "module"}
		}
	}
	return verdict{}
}

// chainHas reports whether a name stands in a chain of calls.
func (f *Finder) chainHas(n syntax.Node, name string) bool {
	for ; n != 0; n = f.tree.First(n) {
		switch f.tree.Kind(n) {
		case syntax.Attribute, syntax.Name:
			if f.low.of(f.tree.Name(n)) == name {
				return true
			}
		case syntax.Call, syntax.Subscript:
		default:
			return false
		}
	}
	return false
}

// head is the first name of a chain.
func (f *Finder) head(n syntax.Node) []byte {
	for f.tree.Kind(n) == syntax.Attribute {
		n = f.tree.First(n)
	}
	return f.tree.Name(n)
}

// imported is the full name of what an import binds, in lower case.
func (f *Finder) imported(b names.Binding) string {
	name := f.low.of(f.tree.Name(b.Value))
	if b.How == names.Import {
		return name
	}
	if m := f.tree.Child(f.tree.Parent(b.Value), syntax.RoleModule); m != 0 {
		return f.low.of(f.tree.Name(m)) + "." + name
	}
	return name
}

// byEncoding knows bytes by what they are decoded with: nothing, or the name
// of an encoding.
func (f *Finder) byEncoding(call, _ syntax.Node) verdict {
	v := verdict{sort: raw, by: "encoding"}
	positional, keywords := f.count(call)
	if positional+keywords == 0 {
		return v
	}
	first := f.arg(call, 0)
	if f.tree.Kind(first) == syntax.BoolOp {
		for o := range f.tree.Children(first) {
			if f.isString(o) {
				return v
			}
		}
	}
	if f.isString(first) || f.isString(f.arg(call, 1)) || f.known.encodingName.Has(f.tail(first)) {
		return v
	}
	return verdict{}
}

// byBinding judges by what the receiver is.
func (f *Finder) byBinding(call, object syntax.Node) verdict {
	what, by := f.object(object)
	if what == processor {
		if what = f.processed(call); what == unclear {
			what = token
		}
	}
	if what == token && f.argument(call) == pieces {
		what = pieces
	}
	return verdict{sort: what, by: by}
}

// byName judges by what the receiver is called.
func (f *Finder) byName(call, object syntax.Node) verdict {
	what := f.named(object)
	switch what {
	case processor:
		if what = f.processed(call); what == unclear {
			what = token
		}
	case token:
		if a := f.argument(call); a == pieces || a == latent && (f.weakName(object) || f.surelyLatent(call)) {
			what = a
		}
	}
	return verdict{sort: what, by: "name " + f.tail(object), weak: what == token && f.weakName(object)}
}

// weakName reports whether a name says token only where nothing contradicts:
// enc is an encoding and the output of an encoder.
func (f *Finder) weakName(object syntax.Node) bool { return !strings.Contains(f.tail(object), "tok") }

// surelyLatent reports whether the first argument has a name that ids never
// have.
func (f *Finder) surelyLatent(call syntax.Node) bool {
	n := f.ids(call)
	for f.tree.Kind(n) == syntax.Call { // latent.unsqueeze(0).to(dtype)
		fun := f.function(n)
		if f.tree.Kind(fun) != syntax.Attribute {
			break
		}
		n = f.tree.First(fun)
	}
	return f.known.latentSure.Has(f.tail(n))
}

// processed says what a processor is given: it decodes ids, logits and audio.
func (f *Finder) processed(call syntax.Node) sort {
	if a := f.argument(call); a == speech || a == latent || a == pieces {
		return a
	}
	return unclear
}

// named judges the name of a receiver, media first: an audio tokenizer gives
// audio.
func (f *Finder) named(object syntax.Node) sort {
	s := f.nameSort(f.tail(object))
	if s == unclear {
		if k := f.key(object); k != "" {
			s = f.nameSort(k)
		}
	}
	if s == unclear && f.known.neutralName.Has(f.tail(object)) {
		s = f.nameSort(f.before(object))
	}
	return s
}

func (f *Finder) nameSort(name string) sort {
	switch {
	case name == "":
		return unclear
	case f.known.latentName.Has(name):
		return latent
	case f.known.stringName.Has(name):
		return pieces
	case f.known.tokenName.Has(name):
		return token
	case f.known.processorName.Has(name):
		return processor
	case f.known.otherName.Has(name):
		return other
	case f.known.asrName.Has(name):
		return speech
	}
	return unclear
}

// ruleArgument is the rule that knows nothing of the receiver.
const ruleArgument = "argument"

// byArgument judges by what is handed over. Who takes several things at once,
// beside no keyword of a tokenizer, is no tokenizer.
func (f *Finder) byArgument(call, _ syntax.Node) verdict {
	positional, keywords := f.count(call)
	what := f.argument(call)
	if (positional > 2 || positional == 0 && keywords > 2) && what == token {
		what = other
	}
	if positional > 2 && what == unclear {
		what = other
	}
	if positional == 2 && what == token && f.argSort(f.tail(f.arg(call, 1))) == speech {
		what = other // model.decode(decoder_input_ids, encoder_outputs)
	}
	if what == token && f.scored(call) {
		what = network
	}
	return verdict{sort: what, by: ruleArgument, weak: what == token}
}

// scored reports whether the best of what a call gives is looked for: then it
// gives scores, not text.
func (f *Finder) scored(call syntax.Node) bool {
	set := f.tree.Parent(call)
	target := f.tree.Child(set, syntax.RoleTarget)
	if f.tree.Kind(set) != syntax.Assign || f.tree.Kind(target) != syntax.Name {
		return false
	}
	within := f.names.Function(call)
	if within == 0 {
		return false
	}
	for n := range f.within(within) {
		if f.tree.Kind(n) != syntax.Call || !f.known.scoreCall.Has(f.tail(f.function(n))) {
			continue
		}
		if f.begins(f.function(n), target) || f.begins(f.arg(n, 0), target) {
			return true
		}
	}
	return false
}

// escape adds a decode that is passed on as a value: map(tok.decode, rows).
func (f *Finder) escape(n syntax.Node) {
	if f.tree.Role(n) == syntax.RoleFunc && f.tree.Kind(f.tree.Parent(n)) == syntax.Call || f.tree.Context(n) != syntax.Load {
		return // most attributes are called
	}
	if !f.mayCall(f.tree.Name(n)) {
		return
	}
	name := f.low.of(f.tree.Name(n))
	if f.known.role(name) != decodeCall {
		return
	}
	switch f.tree.Kind(f.tree.Parent(n)) {
	case syntax.Attribute, syntax.Subscript, syntax.Compare, syntax.BoolOp, syntax.UnaryOp, syntax.ExprStmt:
		return // asked for or about, not handed on
	}
	f.left = budget
	object := f.tree.First(n)
	what, by := f.object(object)
	if what == unclear {
		what, by = f.named(object), "name "+f.tail(object)
	}
	if class := f.names.Class(n); class != 0 && f.names.IsSelf(object) && f.decodesByItself(class) {
		what, by = token, "class "+string(f.tree.Name(class))
	}
	if name == "decode" && what != token || name != "decode" && (what == latent || what == pieces || what == unclear) {
		return
	}
	f.add(Site{Kind: site.Decode, Class: Token, Call: n, Origin: Unknown, By: by, Escapes: true, ByName: true})
}
