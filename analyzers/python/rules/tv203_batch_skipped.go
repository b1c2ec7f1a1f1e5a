package rules

import (
	"github.com/trainvet/trainvet/analyzers/python/faultflow"
	"github.com/trainvet/trainvet/analyzers/python/flow"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// tv203: a batch whose step fails on the device is left out, and nobody counts
// how many. Broad handlers are TV201's.
func tv203() Rule {
	return Rule{
		Code: "TV203", Needs: [][]string{{"except RuntimeError", "OutOfMemoryError", "AcceleratorError", "except (", "except torch"}, {"backward", ".step", "optimizer"}},
		Check: func(f *File, r *Report) {
			if !f.steps() {
				return // it measures what a backward pass takes
			}
			for try := range f.All(syntax.Try) {
				if loop := f.Loop(try); loop != 0 {
					skipsBatches(f, r, try)
				}
			}
		},
	}
}

// steps reports whether an optimizer steps anywhere in the file, or may in what
// is called.
func (f *File) steps() bool {
	for i := range f.Sites {
		if k := f.Sites[i].Kind; k == site.Step || k == site.Implicit {
			return true
		}
	}
	return f.Says("optimizer")
}

func skipsBatches(f *File, r *Report, try syntax.Node) {
	for h := range f.ChildrenOf(try, syntax.RoleHandler) {
		if !f.namesDeviceError(h) || !f.leavesQuietly(h) {
			continue
		}
		src := f.Faults().SourceIn(try, syntax.RoleBody)
		if src == nil || src.Kind != faultflow.Step && src.Kind != faultflow.Backward {
			return
		}
		r.Add(Finding{
			At: h, Handler: handlerLabel(f, h),
			Message: "a batch that fails on the device is left out here and not counted: the model is trained on less than the log says",
			Related: f.sourceRelated(src),
		})
		return
	}
}

// namesDeviceError reports whether a handler is for what a device raises, and
// not for everything.
func (f *File) namesDeviceError(h syntax.Node) bool {
	t := f.Child(h, syntax.RoleType)
	found := false
	for n := range f.Preorder(t) {
		switch string(f.Name(n)) {
		case "Exception", "BaseException":
			return false
		case "RuntimeError", "OutOfMemoryError", "AcceleratorError":
			found = true
		}
	}
	return t != 0 && found
}

// leavesQuietly reports whether a path leads out of a handler without an
// exception, and nothing in it counts: no sum, no list that grows, no table of
// what became of each item.
func (f *File) leavesQuietly(h syntax.Node) bool {
	for s := range f.ChildrenOf(h, syntax.RoleBody) {
		for n := range f.Within(s) {
			switch k := f.Kind(n); {
			case k == syntax.AugAssign:
				return false
			case k == syntax.Assign && f.keepsByItem(n):
				return false
			case k == syntax.Call:
				switch f.Last(f.First(n)) {
				case "append", "count", "inc", "increment", "add_scalar", "log_metrics", "add":
					return false
				}
			}
		}
	}
	g := f.Graph(h)
	for v := range g.At(h) {
		if f.escapes(g, v, h) {
			return true
		}
	}
	return false
}

// keepsByItem reports whether an assignment writes into a table under a key that
// is not spelled out: results[batch_size] = "too large".
func (f *File) keepsByItem(assign syntax.Node) bool {
	for t := range f.ChildrenOf(assign, syntax.RoleTarget) {
		if f.Kind(t) == syntax.Subscript && f.Kind(f.Child(t, syntax.RoleSlice)) != syntax.Constant {
			return true
		}
	}
	return false
}

// escapes reports whether a path leads from a handler to what lies outside.
func (f *File) escapes(g *flow.Graph, from flow.Vertex, h syntax.Node) bool {
	seen := map[flow.Vertex]bool{from: true}
	stack := []flow.Vertex{from}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for e := range g.Out(v) {
			if e.Kind == flow.Exception || seen[e.Vertex] || v == from && e.Kind == flow.False {
				continue
			}
			if e.Vertex != flow.Raise && (g.Node(e.Vertex) == 0 || !f.Holds(h, g.Node(e.Vertex))) {
				return true
			}
			seen[e.Vertex] = true
			stack = append(stack, e.Vertex)
		}
	}
	return false
}
