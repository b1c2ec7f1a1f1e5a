package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// tv107: what a Trainer gathers for its metric is padded with -100, and -100 is
// decoded: the tokenizer fails, or drops it without a word.
func tv107() Rule {
	return Rule{
		Code: "TV107", Sited: true, Needs: [][]string{decodeWords, {"eval_pred", "EvalPrediction", "label_ids", ".predictions", "preds, labels", "predictions, labels"}},
		Check: func(f *File, r *Report) {
			for i := range f.Sites {
				s := &f.Sites[i]
				if s.Kind != site.Decode || s.IDs == 0 || s.Escapes {
					continue
				}
				fn := f.Function(s.Call)
				if !fnIsMetric(f, fn) || f.replacesFill(fn) {
					continue
				}
				if from := f.gathered(s.IDs, fn); from != "" {
					r.Add(Finding{At: s.Call, Message: from + " comes padded with -100 from the gathering of a Trainer and is decoded as it is: a tokenizer fails on -100, or leaves it out without a word"})
				}
			}
		},
	}
}

// replacesFill reports whether a function speaks of the fill value, and so most
// likely replaces it.
func (f *File) replacesFill(fn syntax.Node) bool {
	text := strings.ToLower(f.Src(fn))
	return strings.Contains(text, "-100") || strings.Contains(text, "< 0") || strings.Contains(text, "pad_token") || strings.Contains(text, "ignore_index") || strings.Contains(text, "ignore_id") || strings.Contains(text, "label_pad")
}

// fnIsMetric reports whether a function is given what a Trainer predicted.
func fnIsMetric(f *File, fn syntax.Node) bool {
	for p := range f.ChildrenOf(fn, syntax.RoleParam) {
		if isPrediction(f, p) {
			return true
		}
	}
	return false
}

func isPrediction(f *File, p syntax.Node) bool {
	name := string(f.Name(p))
	if a := f.Child(p, syntax.RoleAnnotation); a != 0 && strings.HasSuffix(f.Src(a), "EvalPrediction") {
		return true
	}
	return strings.HasPrefix(name, "eval_pred") || name == "eval_output"
}

// gathered names what an argument of a decode is made of, where that is the
// parameter that a Trainer fills, unchanged; empty: it is not.
func (f *File) gathered(n, fn syntax.Node) string {
	switch f.Kind(n) {
	case syntax.Attribute:
		last := string(f.Name(n))
		if p := f.Param(f.First(n)); p != 0 && isPrediction(f, p) && (last == "label_ids" || last == "predictions") {
			return f.Src(n)
		}
	case syntax.Name:
		name := ""
		for b := range f.Names.Lookup(n, f.Name(n)) {
			if b.How != names.Assign || name != "" {
				return "" // assigned more than once: changed in between
			}
			switch {
			case b.Part == names.Whole && f.Kind(b.Value) == syntax.Attribute:
				name = f.gathered(b.Value, fn)
			case b.Part != names.Whole && f.Kind(b.Value) == syntax.Name:
				if p := f.Param(b.Value); p != 0 && isPrediction(f, p) {
					name = string(f.Name(n))
				}
			}
			if name == "" {
				return ""
			}
		}
		return name
	}
	return ""
}
