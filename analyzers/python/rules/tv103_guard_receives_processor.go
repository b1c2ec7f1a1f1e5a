package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv103: a processor is handed over where its tokenizer belongs. It has no
// length, or another one.
func tv103() Rule {
	return Rule{
		Code: "TV103", Needs: [][]string{{"Processor"}, {"check_ids", "len(processor", "len(self.processor"}},
		Check: func(f *File, r *Report) {
			for call := range f.CallsOf("check_ids") {
				f.processor(r, f.ArgOr(call, 1, "tokenizer"), "check_ids")
			}
			for call := range f.CallsOf("len") {
				if p := f.Parent(call); f.Kind(p) == syntax.Compare || f.boundsIDs(p, call) {
					f.processor(r, f.Arg(call, 0), "len")
				}
			}
		},
	}
}

// boundsIDs reports whether a call that checks, by its name, is handed ids beside
// the bound.
func (f *File) boundsIDs(call, bound syntax.Node) bool {
	if f.Kind(call) != syntax.Call || !says(f.Last(f.First(call)), []string{"check", "guard", "valid", "assert", "verify"}) {
		return false
	}
	for a := range f.ChildrenOf(call, syntax.RoleArg) {
		if a != bound && f.holdsIDs(a) {
			return true
		}
	}
	return false
}

func (f *File) processor(r *Report, n syntax.Node, taker string) {
	if n == 0 || !f.isProcessor(n) {
		return
	}
	text := f.Src(n)
	r.Add(Finding{
		At: n, Message: text + " is a processor, and " + taker + " needs the tokenizer in it: the bound that ids are held against is not that of the vocabulary",
		Fixes: []Fix{{Message: "hand over its tokenizer", Edits: []Edit{f.Replace(n, text+".tokenizer")}}},
	})
}

// isProcessor reports whether a name is made by a class of processors.
func (f *File) isProcessor(n syntax.Node) bool {
	list, _ := f.Values(n)
	for _, v := range list {
		if f.Kind(v) != syntax.Call {
			continue
		}
		path := f.Path(v)
		head, _, _ := strings.Cut(strings.TrimSuffix(path, ".from_pretrained"), "(")
		class := head[strings.LastIndexByte(head, '.')+1:]
		if strings.HasSuffix(class, "Processor") && !strings.Contains(class, "Image") && !strings.Contains(class, "Logits") && !strings.Contains(class, "Feature") {
			return true
		}
	}
	return false
}
