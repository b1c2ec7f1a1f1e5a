package rules

import (
	"github.com/trainvet/trainvet/analyzers/python/guarded"
	"github.com/trainvet/trainvet/analyzers/site"
)

// A check stands at a decode and guards nothing. What each rule says of it takes
// the place of "unguarded": a reader counts it as a guard.

// decodeWords are what a decode is called with.
var decodeWords = []string{"decode", "convert_ids_to_tokens", "id_to_token", "IdToPiece", "id_to_piece", "detokenize"}

// tv105: the check comes too late, on another path, checks another value or one
// bound alone.
func tv105() Rule {
	return Rule{
		Code: "TV105", Sited: true, Needs: [][]string{decodeWords, {"check", "guard", "Guard", "raise "}},
		Check: func(f *File, r *Report) {
			f.flawed(r, "the check is here", guarded.Misses, guarded.OneSided)
		},
	}
}

// tv109: the check is an assert.
func tv109() Rule {
	return Rule{
		Code: "TV109", Sited: true, Needs: [][]string{decodeWords, {"assert"}},
		Check: func(f *File, r *Report) { f.flawed(r, "python -O drops this", guarded.Asserted) },
	}
}

// tv112: the ids lost bits before the check.
func tv112() Rule {
	return Rule{
		Code: "TV112", Sited: true, Needs: [][]string{decodeWords, {"int16", "uint8", "int8", ".short(", ".byte(", ".char(", ".half(", "float16"}},
		Check: func(f *File, r *Report) { f.flawed(r, "narrowed here", guarded.Narrowed) },
	}
}

// flawed reports the decodes whose check has one of these flaws.
func (f *File) flawed(r *Report, here string, flaws ...guarded.Flaw) {
	for i := range f.States {
		st, s := &f.States[i], &f.Sites[i]
		if s.Kind != site.Decode {
			continue
		}
		for _, flaw := range flaws {
			if st.Flaw == flaw {
				r.Add(Finding{At: s.Call, Site: s.Call, Message: st.Why, Related: []Related{{At: st.Guard, Message: here}}})
			}
		}
	}
}
