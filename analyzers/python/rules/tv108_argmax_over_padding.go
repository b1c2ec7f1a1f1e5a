package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// tv108: logits that a Trainer gathered are filled up with -100, and argmax of a
// filled frame is word 0: the text grows by words that nobody said.
func tv108() Rule {
	return Rule{
		Code: "TV108", Sited: true, Needs: [][]string{{"argmax("}, {"eval_pred", "EvalPrediction", ".predictions"}, {"decode"}},
		Check: func(f *File, r *Report) {
			for call := range f.CallsOf("argmax") {
				fn := f.Function(call)
				of := f.Arg(call, 0)
				if object := f.Receiver(call); object != 0 && f.Path(object) != "np" && f.Path(object) != "numpy" && f.Path(object) != "torch" {
					of = object
				}
				if of == 0 || f.gathered(of, fn) == "" && !f.predictions(of) || f.masks(fn) || !f.decodesIn(fn) {
					continue
				}
				r.Say(call, "%s was filled up with -100 when it was gathered, and argmax makes word 0 of a filled frame: mask it by the labels, or take argmax in preprocess_logits_for_metrics", f.Src(of))
			}
		},
	}
}

// predictions reports whether an expression is pred.predictions of what a
// Trainer hands over.
func (f *File) predictions(n syntax.Node) bool {
	return f.Kind(n) == syntax.Attribute && string(f.Name(n)) == "predictions" && f.Param(f.First(n)) != 0
}

// masks reports whether a function takes the filled frames out.
func (f *File) masks(fn syntax.Node) bool {
	text := strings.ToLower(f.Src(fn))
	return strings.Contains(text, "mask") || strings.Contains(text, "predictions ==") || strings.Contains(text, "predictions !=") || strings.Contains(string(f.Text()), "preprocess_logits_for_metrics")
}

// decodesIn reports whether a function decodes ids.
func (f *File) decodesIn(fn syntax.Node) bool {
	for i := range f.Sites {
		if s := &f.Sites[i]; s.Kind == site.Decode && f.Function(s.Call) == fn {
			return true
		}
	}
	return false
}
