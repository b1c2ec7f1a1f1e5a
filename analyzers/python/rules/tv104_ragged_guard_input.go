package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// tv104: rows of different length are made one array before they are checked.
// That raises on a healthy batch, or makes an array of objects in which no
// comparison holds.
func tv104() Rule {
	return Rule{
		Code: "TV104", Needs: [][]string{{"check_ids("}, {"array(", "tensor("}},
		Check: func(f *File, r *Report) {
			for call := range f.CallsOf("check_ids") {
				arg := f.Arg(call, 0)
				if f.Kind(arg) == syntax.Name {
					if list, sure := f.Values(arg); sure && len(list) == 1 {
						arg = list[0]
					}
				}
				if arg == 0 || f.Kind(arg) != syntax.Call || !f.Is(arg, "numpy.array", "numpy.asarray", "torch.tensor", "torch.as_tensor", "np.array", "np.asarray") {
					continue
				}
				if of := f.Arg(arg, 0); of != 0 && f.ragged(of) && f.Keyword(arg, "dtype") == 0 {
					r.Add(Finding{
						At: arg, Message: f.Src(of) + " are rows of different length, which make no array: the check raises on a healthy batch, or compares objects; check_ids takes the rows as they are",
						Fixes: []Fix{{Message: "hand over the rows", Edits: []Edit{f.Replace(arg, f.Src(of))}}},
					})
				}
			}
		},
	}
}

// ragged reports whether an expression is a list of rows that are cut by
// themselves: [r[:n] for r in rows].
func (f *File) ragged(n syntax.Node) bool {
	if f.Kind(n) == syntax.Name {
		list, sure := f.Values(n)
		return sure && len(list) == 1 && f.Kind(list[0]) == syntax.ListComp && f.ragged(list[0])
	}
	if f.Kind(n) != syntax.ListComp {
		return false
	}
	element := f.Child(n, syntax.RoleElement)
	switch f.Kind(element) {
	case syntax.Subscript:
		return f.Kind(f.Child(element, syntax.RoleSlice)) == syntax.Slice
	case syntax.ListComp:
		for g := range f.ChildrenOf(element, syntax.RoleIterate) {
			if f.Child(g, syntax.RoleIf) != 0 {
				return true
			}
		}
	}
	return false
}
