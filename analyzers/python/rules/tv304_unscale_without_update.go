package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// tv304: a scaler unscales the gradients of an optimizer once until it is
// updated. The second time it raises, and where that is caught, or the scaler
// is another one, the gradients are divided by the scale twice.
func tv304() Rule {
	return Rule{
		Code:  "TV304",
		Needs: [][]string{{".unscale_("}},
		Check: func(f *File, r *Report) {
			if f.Uses(managed) {
				return
			}
			for first, s := range f.onScaler("unscale_") {
				if f.isOff(s) || f.Arg(first, 0) == 0 {
					continue
				}
				if again := f.unscalesAgain(first, s); again != 0 {
					r.Add(f.unscaledTwice(first, again, s))
				}
			}
		},
	}
}

// unscalesAgain is a call of unscale_ that a path leads to without an update of
// the scaler; it may be the same call, in the next turn of a loop.
func (f *File) unscalesAgain(first, scaler syntax.Node) syntax.Node {
	def := f.Function(first)
	past := append(f.ofScaler(def, scaler, "update"), f.takes(def, scaler)...)
	past = append(past, f.ownCalls(def, "update")...)
	past = append(past, f.binds(def, scaler)...)
	optimizer := f.Arg(first, 0)
	past = append(past, f.binds(def, optimizer)...)
	for _, again := range f.ofScaler(def, scaler, "unscale_") {
		if f.Same(f.Arg(again, 0), optimizer) && f.leads(first, again, past, []syntax.Node{scaler}) {
			return again
		}
	}
	return 0
}

// binds are the statements of a function that bind the first name of an
// expression: behind one it is another object.
func (f *File) binds(def, n syntax.Node) []syntax.Node {
	for f.Kind(n) == syntax.Attribute || f.Kind(n) == syntax.Subscript {
		n = f.First(n)
	}
	var out []syntax.Node
	if f.Kind(n) != syntax.Name || f.Names.IsSelf(n) {
		return nil
	}
	for b := range f.Names.Lookup(n, f.Name(n)) {
		if at := f.statement(b.Target); at != 0 && f.Function(at) == def {
			out = append(out, at)
		}
	}
	return out
}

// statement is the one that a node is or stands in.
func (f *File) statement(n syntax.Node) syntax.Node {
	for ; n != 0; n = f.Parent(n) {
		if f.Kind(n).IsStatement() {
			return n
		}
	}
	return 0
}

func (f *File) unscaledTwice(first, again, scaler syntax.Node) Finding {
	o := f.Src(f.Arg(first, 0))
	if first == again {
		return Finding{
			At:      first,
			Message: "a turn of the loop may come back here without " + f.Src(scaler) + ".update(): the gradients of " + o + " are then unscaled twice, which raises, and the step is lost",
			Related: []Related{{At: f.Loop(first), Message: "the loop"}},
		}
	}
	return Finding{
		At:      again,
		Message: "the gradients of " + o + " were unscaled before, and " + f.Src(scaler) + ".update() did not come between: this raises, or divides them by the scale twice",
		Related: []Related{{At: first, Message: "unscaled here"}},
	}
}
