package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// tv405: a loss that is added up as it is keeps the graph of its batch: memory
// grows with each turn.
func tv405() Rule {
	return Rule{
		Code:  "TV405",
		Needs: [][]string{{"backward("}},
		Check: func(f *File, r *Report) {
			all := f.backwards()
			for n := range f.All(syntax.AugAssign) {
				value, target := f.Child(n, syntax.RoleValue), f.Child(n, syntax.RoleTarget)
				for f.Kind(value) == syntax.BinOp && (f.Op(value) == syntax.Div || f.Op(value) == syntax.Mult) {
					value = f.First(value) // loss / len(loader)
				}
				if f.Op(n) != syntax.Add || f.Kind(value) != syntax.Name || f.Kind(target) == syntax.Subscript {
					continue
				}
				if b := f.trainedOn(n, value, target, all); b != 0 {
					r.Add(Finding{
						At:      n,
						Message: f.Src(target) + " keeps the graph of every batch: " + f.Src(value) + " is added with it, and memory grows with each turn",
						Related: []Related{{At: b, Message: "the loss is trained on here"}},
						Fixes:   []Fix{{Message: "add the value alone", Edits: []Edit{f.Replace(value, f.Src(value)+".item()")}}},
					})
				}
			}
		},
	}
}

// trainedOn is the backward of a loss that is added to something else, which
// outlives the loop; 0: none, or the value may be a number by then.
func (f *File) trainedOn(add, loss, sum syntax.Node, all []backward) syntax.Node {
	loop := f.Loop(add)
	if loop == 0 || f.madeWithin(loop, sum) {
		return 0
	}
	found := syntax.Node(0)
	for _, b := range all {
		if f.Function(b.call) != f.Function(add) {
			continue
		}
		if f.Holds(b.loss, sum) || f.Src(b.loss) == f.Src(sum) || f.speaksOf(b.loss, f.Last(sum)) {
			return 0
		}
		if f.Src(b.loss) == f.Src(loss) && f.Loop(b.call) == loop {
			found = b.call
		}
	}
	if found == 0 || f.givesNumber(loss) || f.mentionsIn(loss, sum) {
		return 0
	}
	return found
}

// givesNumber reports whether a name is also bound to a value without graph.
func (f *File) givesNumber(n syntax.Node) bool {
	list, _ := f.Values(n)
	for _, v := range list {
		switch name := f.Last(f.First(v)); {
		case f.Kind(v) != syntax.Call:
		case name == "item" || name == "detach" || name == "float" || name == "tolist" || name == "reduce_tensor" || name == "reduce_loss":
			return true
		}
	}
	return false
}

func (f *File) madeWithin(loop, n syntax.Node) bool {
	for b := range f.Names.Lookup(n, f.Name(n)) {
		if f.Kind(f.Parent(b.Target)) == syntax.Assign && f.Holds(loop, b.Target) {
			return true
		}
	}
	return false
}

// speaksOf reports whether a name stands in an expression.
func (f *File) speaksOf(n syntax.Node, name string) bool {
	for c := range f.Within(n) {
		if k := f.Kind(c); (k == syntax.Name || k == syntax.Attribute) && string(f.Name(c)) == name {
			return true
		}
	}
	return false
}

// mentionsIn reports whether a name is bound to something that is made of
// another: then the other one is trained on.
func (f *File) mentionsIn(n, other syntax.Node) bool {
	list, _ := f.Values(n)
	for _, v := range list {
		if f.speaksOf(v, f.Last(other)) {
			return true
		}
	}
	return false
}
