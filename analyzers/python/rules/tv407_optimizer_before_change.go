package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// tv407: an optimizer holds the parameters that it was given. Those that come
// to the model later are not trained.
func tv407() Rule {
	return Rule{
		Code:  "TV407",
		Needs: [][]string{{".parameters()"}, {"resize_token_embeddings", "get_peft_model", "prepare_model_for_kbit_training", "nn.Linear("}},
		Check: func(f *File, r *Report) {
			if f.Uses(Lightning) {
				return
			}
			for call := range f.CallsOf("parameters") {
				made := f.Parent(call)
				if f.Kind(made) != syntax.Call || f.Arg(made, 0) != call || !listed("optimizer-class", f.Last(f.First(made))) {
					continue
				}
				if change := f.changedBehind(made, f.Receiver(call)); change != 0 {
					r.Add(Finding{
						At:      change,
						Message: "the model gets new parameters here, and the optimizer was made before: they are not trained",
						Related: []Related{{At: made, Message: "the optimizer"}},
					})
				}
			}
		},
	}
}

// changedBehind is a change of a model's parameters that follows the making of
// its optimizer, which is not made again.
func (f *File) changedBehind(made, model syntax.Node) syntax.Node {
	def := f.Function(made)
	var again []syntax.Node
	if p := f.statement(made); f.Kind(p) == syntax.Assign {
		again = f.binds(def, f.Child(p, syntax.RoleTarget))
	}
	try := func(at syntax.Node) bool {
		if f.Function(at) != def || !f.leads(made, at, append(again, f.binds(def, model)...), nil) {
			return false
		}
		for _, a := range again {
			if f.leads(at, a, nil, nil) {
				return false
			}
		}
		return true
	}
	for call := range f.CallsOf("resize_token_embeddings") {
		if f.Same(f.Receiver(call), model) && try(call) {
			return call
		}
	}
	for _, name := range []string{"get_peft_model", "prepare_model_for_kbit_training"} {
		for call := range f.CallsOf(name) {
			if f.Same(f.Arg(call, 0), model) && try(call) {
				return call
			}
		}
	}
	for n := range f.All(syntax.Assign) { // model.head = nn.Linear(...)
		t, v := f.Child(n, syntax.RoleTarget), f.Child(n, syntax.RoleValue)
		if f.Kind(t) == syntax.Attribute && f.Same(f.First(t), model) && f.Kind(v) == syntax.Call && f.isLayer(v) && try(n) {
			return n
		}
	}
	return 0
}
