package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// tv106: the embedding gets more rows than the tokenizer has words, and a guard
// of this tree holds ids against the length of the tokenizer: an id of a padded
// row is a model that was not trained, and no fault.
func tv106() Rule {
	return Rule{
		Code:  "TV106",
		Needs: [][]string{{"resize_token_embeddings(", "vocab_size", "len("}, {"resize_token_embeddings(", "raise "}},
		Check: func(f *File, r *Report) {
			for call := range f.CallsOf("resize_token_embeddings") {
				if f.pads(call) {
					r.Note(vocabularyNote{at: r.Place(call)})
				}
			}
			for n := range f.All(syntax.If) {
				test := f.Child(n, syntax.RoleTest)
				if b := f.vocabBound(test); b != 0 && f.Kind(b) == syntax.Call && f.raisesIn(n) && f.holdsAgainst(b) {
					r.Note(vocabularyNote{at: r.Place(test), guard: true})
				}
			}
		},
		Finish: joinVocabulary,
	}
}

// vocabularyNote is a call that pads an embedding, or a guard by length.
type vocabularyNote struct {
	at    site.Position
	guard bool
}

// pads reports whether a call gives the embedding more rows than the tokenizer
// has words: by a multiple, or by rounding.
func (f *File) pads(call syntax.Node) bool {
	if k := f.Keyword(call, "pad_to_multiple_of"); k != 0 && !f.IsNone(k) {
		return true
	}
	size := f.ArgOr(call, 0, "new_num_tokens")
	if size == 0 {
		return false
	}
	list, _ := f.Values(size)
	for _, v := range append(list, size) {
		text := f.Src(v)
		if strings.Contains(text, "ceil") || strings.Contains(text, "//") || strings.Contains(text, "%") || strings.Contains(text, "round") {
			return true
		}
	}
	return false
}

func joinVocabulary(notes []Note, r *Joined) {
	var guards []site.Related
	for _, n := range notes {
		if v := n.Value.(vocabularyNote); v.guard {
			guards = append(guards, site.Related{At: v.at, Message: "this guard takes an id of a padded row for a fault"})
		}
	}
	if len(guards) == 0 {
		return
	}
	for _, n := range notes {
		if v := n.Value.(vocabularyNote); !v.guard {
			r.Add(site.Finding{
				At: v.at, Related: guards,
				Message: "the embedding gets more rows here than the tokenizer has words: an id between the two is a model that was not trained, not a device that failed",
			})
		}
	}
}
