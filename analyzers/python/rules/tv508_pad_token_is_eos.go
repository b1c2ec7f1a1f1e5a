package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// tv508: padding is the token that ends a text, and padding is left out of the
// loss: the model never learns to stop.
func tv508() Rule {
	return Rule{
		Code:  "TV508",
		Needs: [][]string{{"pad_token"}, {"eos_token"}, {"-100", "DataCollatorForLanguageModeling", "ignore_index"}},
		Check: func(f *File, r *Report) {
			for n := range f.All(syntax.Assign) {
				target, value := f.Child(n, syntax.RoleTarget), f.Child(n, syntax.RoleValue)
				name := f.Last(target)
				if f.Kind(target) != syntax.Attribute || name != "pad_token" && name != "pad_token_id" {
					continue
				}
				if from := f.Last(value); f.Kind(value) != syntax.Attribute || from != "eos_token" && from != "eos_token_id" {
					continue
				}
				if mask := f.masksPadding(); mask != 0 {
					r.Add(Finding{At: n, Message: "padding is the end of a text here, and padding is left out of the loss: the model is not taught to stop",
						Related: []Related{{At: mask, Message: "padding is left out of the loss here"}}})
				}
			}
		},
	}
}

// masksPadding is where labels that are padding are left out of the loss.
func (f *File) masksPadding() syntax.Node {
	for call := range f.CallsOf("DataCollatorForLanguageModeling") {
		if f.IsFalse(f.ArgOr(call, 1, "mlm")) {
			return call
		}
	}
	for n := range f.All(syntax.Assign) {
		t := f.Child(n, syntax.RoleTarget)
		if f.Kind(t) == syntax.Subscript && f.says(t, "pad_token_id") && f.Src(f.Child(n, syntax.RoleValue)) == "-100" {
			return n
		}
	}
	for n := range f.All(syntax.IfExp) {
		if f.says(n, "pad_token_id") && f.says(n, "-100") {
			return n
		}
	}
	for call := range f.CallsOf("masked_fill") {
		if f.says(call, "pad_token_id") && f.says(call, "-100") {
			return call
		}
	}
	return 0
}
