package sites

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// part is a call that belongs to the step of a scaler: what unscales its
// gradients, and what updates its scale. The step is one site, however many
// calls it takes.
type part struct {
	call, object syntax.Node
}

// parts gives each step of a scaler the calls that belong to it: on the same
// object in its function, else in its class.
func (f *Finder) parts() {
	if len(f.loose) == 0 {
		return
	}
	for i := range f.res.Sites {
		s := &f.res.Sites[i]
		if s.Class != Scaler {
			continue
		}
		s.Parts = f.partsOf(s.Call, f.names.Function)
		if len(s.Parts) == 0 && f.names.Class(s.Call) != 0 {
			s.Parts = f.partsOf(s.Call, f.names.Class)
		}
	}
}

func (f *Finder) partsOf(step syntax.Node, around func(syntax.Node) syntax.Node) []syntax.Node {
	object := f.tree.First(f.function(step))
	var out []syntax.Node
	for _, p := range f.loose {
		if around(p.call) == around(step) && f.same(p.object, object) {
			out = append(out, p.call)
		}
	}
	return out
}
