package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// tv102: ids are held against vocab_size, which leaves out the tokens that were
// added, and the check that raises stops a healthy model. The vocab_size of a
// model's configuration is the padded one: it lets rows through that no
// tokenizer knows.
func tv102() Rule {
	return Rule{
		Code: "TV102", Needs: [][]string{{"vocab_size"}, {"raise ", "check_ids", "assert "}},
		Check: func(f *File, r *Report) {
			for n := range f.All(syntax.If) {
				if f.raisesIn(n) {
					f.smallBound(r, f.Child(n, syntax.RoleTest))
				}
			}
			for n := range f.All(syntax.Assert) {
				f.smallBound(r, f.Child(n, syntax.RoleTest))
			}
			for call := range f.CallsOf("check_ids") {
				for _, b := range []syntax.Node{f.Arg(call, 1), f.Keyword(call, "bound"), f.Keyword(call, "vocab_size")} {
					f.sayBound(r, b)
				}
			}
		},
	}
}

// raisesIn reports whether the first statements of an if raise.
func (f *File) raisesIn(n syntax.Node) bool {
	for s := range f.ChildrenOf(n, syntax.RoleBody) {
		if f.Kind(s) == syntax.Raise {
			return true
		}
	}
	return false
}

// smallBound looks at a test, or at the one value of the name that is tested.
func (f *File) smallBound(r *Report, test syntax.Node) {
	if f.Kind(test) == syntax.Name {
		if list, sure := f.Values(test); sure && len(list) == 1 {
			test = list[0]
		}
	}
	if b := f.vocabBound(test); b != 0 && f.holdsAgainst(b) {
		f.sayBound(r, b)
	}
}

// holdsAgainst reports whether ids are held against a bound in its comparison.
func (f *File) holdsAgainst(b syntax.Node) bool {
	for side := range f.Children(f.Parent(b)) {
		if side != b && f.holdsIDs(side) {
			return true
		}
	}
	return false
}

// sayBound reports a bound that is the vocab_size of a tokenizer.
func (f *File) sayBound(r *Report, b syntax.Node) {
	if b == 0 || f.Kind(b) != syntax.Attribute || string(f.Name(b)) != "vocab_size" {
		return
	}
	object := f.First(b)
	if !f.isTokenizer(object) || f.definesVocabulary() {
		return
	}
	r.Add(Finding{
		At:      b,
		Message: f.Src(b) + " leaves out the tokens that were added: a healthy model that says one of them is taken for a fault; the bound is len(" + f.Src(object) + ")",
		Fixes:   []Fix{{Message: "hold the ids against the length of the tokenizer", Edits: []Edit{f.Replace(b, "len("+f.Src(object)+")")}}},
	})
}

// definesVocabulary reports whether the file has a tokenizer of its own, which
// has no added tokens.
func (f *File) definesVocabulary() bool {
	for class := range f.All(syntax.ClassDef) {
		for range f.Names.Bindings(class, []byte("vocab_size")) {
			return true
		}
	}
	return false
}
