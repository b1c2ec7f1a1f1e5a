package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// nanWords are how NaN itself is written.
var nanWords = []string{"nan" + "'", "nan\"", ".nan", ".NaN", "import nan"}

// tv208: NaN is neither below nor above anything, and equals nothing, itself
// included. What such a comparison was to find passes: a value that is no
// number, a loss without bound, a model that is worse than the best one.
func tv208() Rule {
	return Rule{
		Code:  "TV208",
		Needs: [][]string{append([]string{"best", "loss", "lowest", "norm"}, nanWords...)},
		Quick: comparesNaN, Searched: []string{"best", "loss", "lowest", "norm"},
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
			for n := range f.All(syntax.If) {
				f.takenForBest(r, n)
				f.neverAbove(r, n)
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
