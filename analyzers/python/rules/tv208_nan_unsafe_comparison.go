package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// tv208: nothing equals NaN, NaN included: the comparison is always false, or
// always true with !=, and what it was to find passes.
func tv208() Rule {
	return Rule{
		Code:  "TV208",
		Needs: [][]string{{"nan" + "'", "nan\"", ".nan", ".NaN", "import nan"}},
		Check: func(f *File, r *Report) {
			for n := range f.All(syntax.Compare) {
				left := f.First(n)
				for right := range f.ChildrenOf(n, syntax.RoleRight) {
					if op := f.CompareOp(right); (op == syntax.Eq || op == syntax.NotEq) && (f.isNaN(left) || f.isNaN(right)) {
						r.Add(f.nanComparison(n, left, right, op))
					}
					left = right
				}
			}
		},
	}
}

// isNaN reports whether an expression is the constant NaN itself.
func (f *File) isNaN(n syntax.Node) bool {
	switch f.Kind(n) {
	case syntax.Name, syntax.Attribute:
		return f.Is(n, "math.nan", "numpy.nan", "numpy.NaN", "numpy.NAN", "torch.nan", "np.nan", "cmath.nan", "jax.numpy.nan")
	case syntax.Call:
		if text, ok := f.Str(f.Arg(n, 0)); ok && f.Src(f.First(n)) == "float" {
			return len(text) == 3 && (text[0]|0x20 == 'n') && (text[1]|0x20 == 'a') && (text[2]|0x20 == 'n')
		}
	}
	return false
}

func (f *File) nanComparison(n, left, right syntax.Node, op syntax.Op) Finding {
	always := "false"
	if op == syntax.NotEq {
		always = "true"
	}
	out := Finding{At: n, Message: "this comparison with NaN is always " + always + ": NaN equals nothing, itself included, and a value that is NaN passes"}
	value := left
	if f.isNaN(left) {
		value = right
	}
	if f.Next(f.First(n)) == right && f.Next(right) == 0 && !f.isNaN(value) && f.Path(value) != "" {
		sign := " != "
		if op == syntax.NotEq {
			sign = " == "
		}
		out.Fixes = []Fix{{Message: "compare the value with itself, which only NaN fails", Edits: []Edit{f.Replace(n, f.Src(value)+sign+f.Src(value))}}}
	}
	return out
}
