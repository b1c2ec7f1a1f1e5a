package rules

import (
	"bytes"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// tv413: a loss that is made a new tensor has no graph behind it: backward ends
// there, no parameter gets a gradient, and nothing is said.
func tv413() Rule {
	return Rule{
		Code:  "TV413",
		Needs: [][]string{{"backward(", "_loss(", "Loss"}, {"requires_grad"}},
		Quick: rewrapsLoss, Searched: []string{"requires_grad"},
		Check: func(f *File, r *Report) {
			for _, b := range f.backwards() {
				loss := b.loss
				if b.scaler != 0 {
					loss = f.Arg(loss, 0)
				}
				if at := f.forcedGrad(loss, b.call); at != 0 {
					r.Add(f.forced(at, b.call))
				}
				if at := f.cutLoss(loss, b.call); at != 0 {
					r.Add(Finding{
						At:      at,
						Message: "this loss is a new tensor without a graph: backward ends here, no parameter gets a gradient, and requires_grad hides it",
						Related: []Related{{At: b.call, Message: "the backward"}},
					})
				}
			}
			for n := range f.All(syntax.Return) {
				f.returnsCut(r, n)
			}
		},
	}
}

// rewrapsLoss reports whether a file asks for a gradient of something on one line
// with a loss, or with the making of a tensor.
func rewrapsLoss(g *Glance) bool {
	return g.Each("requires_grad", func(at int) bool {
		line := around(g.Text, at, 0)
		return bytes.Contains(line, []byte("True")) || bytes.Contains(line, []byte("requires_grad_("))
	})
}

// returnsCut looks at a function that gives its caller a loss without a graph: in
// what it returns, or in the name that it returns.
func (f *File) returnsCut(r *Report, n syntax.Node) {
	const says = "this loss is a new tensor without a graph: whoever calls backward on it gives no parameter a gradient, and requires_grad hides it"
	v := f.First(n)
	if f.Kind(v) == syntax.IfExp {
		v = f.Child(v, syntax.RoleOrElse)
	}
	if f.rewraps(v) && (f.ofLossName(f.Arg(v, 0)) || f.isCut(f.Arg(v, 0))) {
		r.Say(n, says)
		return
	}
	def := f.Function(n)
	if f.Kind(v) != syntax.Name || !listed("loss-name", f.Last(v)) || f.Last(v) == "l" || len(f.calls(def, "backward")) > 0 {
		return
	}
	binds := f.binds(def, v)
	for _, at := range binds {
		if f.Kind(at) != syntax.Assign || !f.leads(at, n, binds, nil) {
			continue
		}
		made := f.Child(at, syntax.RoleValue)
		if f.rewraps(made) {
			r.Say(at, says)
			return
		}
	}
	if at := f.forcedGrad(v, n); at != 0 && f.Kind(at) == syntax.Assign {
		r.Add(f.forced(at, n))
	}
}

// forced tells an assignment from the method: torch lets nobody assign
// requires_grad to what was computed of a parameter.
func (f *File) forced(at, back syntax.Node) Finding {
	out := Finding{
		At:      at,
		Message: "requires_grad is assigned to the loss itself, which raises where it has a graph: so it has none here, and no parameter gets a gradient",
		Related: []Related{{At: back, Message: "handed on to the backward"}},
	}
	if f.Kind(at) != syntax.Assign {
		out.Severity = site.Warning
		out.Message = "requires_grad is set on the loss itself: where it has a graph this does nothing, and where it has none it hides that no parameter gets a gradient"
	}
	return out
}

// forcedGrad is a statement loss.requires_grad = True, or requires_grad_(), that
// leads to the backward of a loss that a call or a sum made.
func (f *File) forcedGrad(loss, back syntax.Node) syntax.Node {
	if f.Kind(loss) != syntax.Name || !listed("loss-name", f.Last(loss)) {
		return 0
	}
	def := f.Function(back)
	sets := f.calls(def, "requires_grad_")
	for n := range f.All(syntax.Assign) {
		if t := f.Child(n, syntax.RoleTarget); f.Kind(t) == syntax.Attribute && string(f.Name(t)) == "requires_grad" && f.IsTrue(f.Child(n, syntax.RoleValue)) && f.Function(n) == def {
			sets = append(sets, t)
		}
	}
	for _, set := range sets {
		object := f.First(set)
		if f.Kind(set) == syntax.Call {
			if object = f.Receiver(set); f.IsFalse(f.Arg(set, 0)) || f.Kind(f.Parent(set)) != syntax.ExprStmt {
				continue
			}
		}
		if f.Same(object, loss) && f.leads(set, back, f.binds(def, loss), nil) {
			return f.statement(set)
		}
	}
	return 0
}

// cutLoss is where a loss loses its graph and is told to require a gradient.
func (f *File) cutLoss(loss, back syntax.Node) syntax.Node {
	if f.rewraps(loss) {
		return loss
	}
	if k := f.Kind(loss); k != syntax.Name {
		return 0
	}
	def := f.Function(back)
	binds := f.binds(def, loss)
	for _, at := range binds {
		if v := f.Child(at, syntax.RoleValue); f.Kind(at) != syntax.Assign || !f.rewraps(v) && !f.cutAndAsked(v) {
			continue
		}
		if f.leads(at, back, binds, nil) {
			return at
		}
	}
	return 0
}

// rewraps knows torch.tensor(loss, requires_grad=True), Variable(loss,
// requires_grad=True), which leaves the graph behind since torch 0.4, and
// loss.detach().requires_grad_().
func (f *File) rewraps(n syntax.Node) bool {
	if n == 0 || f.Kind(n) != syntax.Call {
		return false
	}
	source := f.Arg(n, 0)
	switch f.Last(f.First(n)) {
	case "tensor", "as_tensor", "Tensor", "FloatTensor":
		return f.IsTrue(f.Keyword(n, "requires_grad")) && f.ofLoss(source)
	case "Variable":
		return f.IsTrue(f.ArgOr(n, 1, "requires_grad")) && (f.isCut(source) || f.ofLossName(source))
	case "requires_grad_":
		return f.isCut(f.Receiver(n)) && !f.IsFalse(source)
	}
	return false
}

// cutAndAsked reports whether an expression is x.detach().requires_grad_(): of
// what backward is called on that is enough, whatever x is called.
func (f *File) cutAndAsked(n syntax.Node) bool {
	if f.Kind(n) != syntax.Call || f.Last(f.First(n)) != "requires_grad_" || f.IsFalse(f.Arg(n, 0)) {
		return false
	}
	cut := f.Receiver(n)
	return f.Kind(cut) == syntax.Call && f.Last(f.First(cut)) == "detach"
}

// ofLoss leaves out constants, from which a test may start.
func (f *File) ofLoss(n syntax.Node) bool {
	if n == 0 {
		return false
	}
	for c := range f.Within(n) {
		if k := f.Kind(c); k == syntax.Name || k == syntax.Attribute {
			return true
		}
	}
	return false
}

// ofLossName reports whether an expression is called a loss.
func (f *File) ofLossName(n syntax.Node) bool {
	switch f.Kind(n) {
	case syntax.Name, syntax.Attribute:
		return listed("loss-name", f.Last(n))
	}
	return false
}

// isCut reports whether an expression has no graph: .data, .detach(), .item().
func (f *File) isCut(n syntax.Node) bool {
	switch f.Last(n) {
	case "data", "detach", "item", "tensor", "numpy":
		return f.Kind(n) != syntax.Name && strings.Contains(strings.ToLower(f.Src(n)), "loss")
	}
	return false
}
