package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// tv110: ids that no tokenizer knows are bent or left out before the decode, and
// nobody is told. They were the evidence of a fault.
func tv110() Rule {
	return Rule{
		Code: "TV110", Sited: true, Needs: [][]string{decodeWords, {"vocab", "len(", "IndexError", "OverflowError", "TypeError"}},
		Check: func(f *File, r *Report) {
			for i := range f.Sites {
				if s := &f.Sites[i]; s.Kind == site.Decode && !s.Escapes && !f.fromHost(s) && !f.special(s.IDs) {
					f.dropped(r, s.Call, s.IDs)
				}
			}
		},
	}
}

// special reports whether what is decoded is the id of one special token, which
// the tokenizer itself tells.
func (f *File) special(ids syntax.Node) bool {
	name := strings.ToLower(f.Last(ids))
	for _, s := range []string{"pad", "bos", "eos", "unk", "cls", "sep", "mask", "blank", "sos"} {
		if strings.HasPrefix(name, s) || strings.HasPrefix(name, "_"+s) {
			return true
		}
	}
	return false
}

// maxSteps is how many assignments are followed back from a decode.
const maxSteps = 4

func (f *File) dropped(r *Report, call, ids syntax.Node) {
	say := func(at syntax.Node, what string) {
		r.Add(Finding{At: at, Message: what + ": an id outside of the vocabulary is evidence of a fault, and here it is gone before the decode", Related: []Related{{At: call, Message: "decoded here"}}})
	}
	if ids != 0 {
		if at, what := f.bends(ids, f.Function(call), maxSteps); at != 0 {
			say(at, what)
			return
		}
	}
	if p := f.Parent(call); f.Kind(p) == syntax.IfExp && f.Role(call) == syntax.RoleBody && f.vocabBound(f.Child(p, syntax.RoleTest)) != 0 {
		say(p, "an id that is too large becomes "+f.Src(f.Child(p, syntax.RoleOrElse)))
		return
	}
	if h := f.emptied(call); h != 0 {
		say(h, "an id that the tokenizer cannot hold is caught here and goes no further")
	}
}

// bends finds what bends or leaves out ids on the way to an expression: the node
// and what it does.
func (f *File) bends(n, fn syntax.Node, left int) (syntax.Node, string) {
	if n == 0 || left == 0 {
		return 0, ""
	}
	switch f.Kind(n) {
	case syntax.Call:
		if at, what := f.bendingCall(n); at != 0 {
			return at, what
		}
		if object := f.Receiver(n); object != 0 && f.Path(object) != "torch" && f.Path(object) != "numpy" {
			return f.bends(object, fn, left-1)
		}
		return f.bends(f.Arg(n, 0), fn, left-1)
	case syntax.ListComp, syntax.GeneratorExp:
		for g := range f.ChildrenOf(n, syntax.RoleIterate) {
			for test := range f.ChildrenOf(g, syntax.RoleIf) {
				if f.vocabBound(test) != 0 {
					return n, "ids beyond the vocabulary are left out"
				}
			}
		}
	case syntax.Subscript:
		return f.bends(f.First(n), fn, left-1)
	case syntax.Name:
		list, _ := f.Values(n)
		for _, v := range list {
			if f.Function(v) != fn {
				continue
			}
			if at, what := f.bends(v, fn, left-1); at != 0 {
				return at, what
			}
		}
	}
	return 0, ""
}

// bendingCall knows ids.clamp(max=len(tok)-1), torch.where(ids < n, ids, 0).
func (f *File) bendingCall(call syntax.Node) (syntax.Node, string) {
	name := f.Last(f.First(call))
	switch name {
	case "clamp", "clip", "clamp_", "clamp_max", "minimum":
		for c := range f.Children(call) {
			if f.Role(c) == syntax.RoleKeyword {
				c = f.Child(c, syntax.RoleValue)
			}
			if c != 0 && f.Role(c) != syntax.RoleFunc && f.isVocabulary(c) {
				return call, "ids beyond the vocabulary are bent to its last word"
			}
		}
	case "where", "masked_fill", "masked_fill_":
		for test := range f.ChildrenOf(call, syntax.RoleArg) {
			if f.vocabBound(test) != 0 {
				return call, "ids beyond the vocabulary are replaced"
			}
		}
	}
	return 0, ""
}

// emptied finds a handler around a decode that makes nothing of what a tokenizer
// raises for an impossible id. Broad handlers are TV201's.
func (f *File) emptied(call syntax.Node) syntax.Node {
	for c, p := call, f.Parent(call); p != 0 && !f.Kind(p).IsFunction(); c, p = p, f.Parent(p) {
		if f.Kind(p) != syntax.Try || f.Role(c) != syntax.RoleBody {
			continue
		}
		for h := range f.ChildrenOf(p, syntax.RoleHandler) {
			t := f.Src(f.Child(h, syntax.RoleType))
			if (strings.Contains(t, "OverflowError") || strings.Contains(t, "IndexError") || strings.Contains(t, "TypeError")) && !strings.Contains(t, "Exception") && f.quiet(h) && f.isWhole(p) && !f.asksAgain(h, call) {
				return h
			}
		}
	}
	return 0
}

// asksAgain reports whether a handler decodes once more: what was raised is that
// the tokenizer does not know a keyword.
func (f *File) asksAgain(h, call syntax.Node) bool {
	for c := range f.Within(h) {
		if f.Kind(c) == syntax.Call && f.Same(f.First(c), f.First(call)) {
			return true
		}
	}
	return false
}

// quiet reports whether a handler neither raises nor tells anybody.
func (f *File) quiet(h syntax.Node) bool {
	for s := range f.ChildrenOf(h, syntax.RoleBody) {
		for n := range f.Preorder(s) {
			if k := f.Kind(n); k == syntax.Raise || k == syntax.Call && f.Kind(f.Parent(n)) == syntax.ExprStmt || k == syntax.AugAssign {
				return false
			}
		}
	}
	return true
}

// isWhole reports whether a try is about the decode: next to nothing else is in
// it.
func (f *File) isWhole(try syntax.Node) bool {
	n := 0
	for range f.ChildrenOf(try, syntax.RoleBody) {
		n++
	}
	return n <= 2
}
