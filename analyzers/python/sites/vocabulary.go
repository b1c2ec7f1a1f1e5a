package sites

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// byVocabulary judges methods that decode only where a vocabulary is in sight:
// dictionary.string(ids) of fairseq, utils.decode_sequence(vocab, ids) of a
// project that looks up words itself. Any other object may have one called so.
func (f *Finder) byVocabulary(call, object syntax.Node, method string) verdict {
	v := verdict{sort: other, by: "method " + method}
	if f.keyword(call, f.known.tokenKeyword.Has) != 0 {
		v.sort = token
		return v
	}
	if positional, _ := f.count(call); positional == 0 || method != "string" && f.given(f.ids(call), maxHops) == pieces {
		return v
	}
	if f.isVocabulary(object) || f.isBound(object, f.known.vocabularyName) {
		v.sort = token
		return v
	}
	if method == "string" {
		return v
	}
	if a := f.argument(call); f.named(object) == token && (a == token || a == unclear || a == latent && !f.surelyLatent(call)) {
		v.sort = token // converter.decode_greedy(preds_indices, sizes)
		return v
	}
	if v.weak = true; f.givenVocabulary(call) || f.calledLooksUp(call) {
		v.sort = token
	}
	return v
}

// isVocabulary reports whether a name is that of a vocabulary.
func (f *Finder) isVocabulary(n syntax.Node) bool {
	k := f.tree.Kind(n)
	return (k == syntax.Name || k == syntax.Attribute) && f.known.vocabularyName.Has(f.tail(n))
}
