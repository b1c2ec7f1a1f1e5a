package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// tv504: the last batch of an evaluation is left out where it is not full.
func tv504() Rule {
	return Rule{
		Code:  "TV504",
		Needs: [][]string{{"drop_last"}, {"DataLoader(", "Loader("}},
		Check: func(f *File, r *Report) {
			for _, name := range []string{"DataLoader", "StatefulDataLoader", "GeoDataLoader"} {
				for call := range f.CallsOf(name) {
					drop := f.Keyword(call, "drop_last")
					if !f.IsTrue(drop) || !f.loadsEvaluation(call) || f.wholeBatch(call) {
						continue
					}
					r.Add(Finding{At: call, Message: "the loader of an evaluation leaves out its last batch: the metric is that of other items than the split has, and of none where the split is smaller than a batch",
						Fixes: []Fix{{Message: "keep the last batch", Edits: []Edit{f.Replace(drop, "False")}}}})
				}
			}
		},
	}
}

// wholeBatch reports whether a loader gives its data as one batch, of which
// nothing is left over.
func (f *File) wholeBatch(call syntax.Node) bool {
	size := f.ArgOr(call, 1, "batch_size")
	return f.Kind(size) == syntax.Call && f.Last(f.First(size)) == "len" && f.Same(f.Arg(size, 0), f.ArgOr(call, 0, "dataset"))
}

// loadsEvaluation reports whether a loader or sampler is one of an evaluation:
// by its data, or what it is assigned to.
func (f *File) loadsEvaluation(call syntax.Node) bool {
	data := f.ArgOr(call, 0, "dataset")
	if f.Kind(data) == syntax.Subscript {
		if key, ok := f.Str(f.Child(data, syntax.RoleSlice)); ok {
			return ofEvaluation(key)
		}
	}
	for _, n := range []syntax.Node{data, f.assignedTo(call)} {
		if name := f.Last(n); name != "" && named("train-data", name) {
			return false
		}
	}
	return ofEvaluation(f.Last(data)) || ofEvaluation(f.Last(f.assignedTo(call)))
}

// assignedTo is the target that a call is assigned to; 0: none.
func (f *File) assignedTo(call syntax.Node) syntax.Node {
	p := f.Parent(call)
	for k := f.Kind(p); k == syntax.IfExp || k == syntax.Call; k = f.Kind(p) {
		p = f.Parent(p)
	}
	if f.Kind(p) != syntax.Assign {
		return 0
	}
	return f.Child(p, syntax.RoleTarget)
}
