package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// tv308: bfloat16 has the range of float32, so that nothing is gained by
// scaling, and each step that a scaler skips in it is a step lost.
func tv308() Rule {
	return Rule{
		Code:  "TV308",
		Needs: [][]string{{"bfloat16"}, {"autocast("}, {"GradScaler("}, {".scale("}},
		Check: func(f *File, r *Report) {
			if f.Uses(managed) {
				return
			}
			all := f.backwards()
			for cast := range f.CallsOf("autocast") {
				with := f.statement(cast)
				if k := f.Kind(with); k != syntax.With && k != syntax.AsyncWith || !f.isHalf(f.castType(cast), "torch.bfloat16") {
					continue
				}
				for _, b := range all {
					if b.scaler != 0 && f.Function(b.call) == f.Function(cast) && f.alwaysOn(b.scaler) && f.leads(with, b.call, []syntax.Node{f.Loop(with)}, nil) {
						r.Add(Finding{
							At:      cast,
							Message: "autocast in bfloat16 beside a gradient scaler: bfloat16 does not underflow, so the scale gains nothing and each skip loses a step",
							Related: []Related{{At: b.call, Message: "the loss is scaled here"}},
						})
						break
					}
				}
			}
		},
	}
}

// castType is the dtype argument of autocast; 0: none.
func (f *File) castType(cast syntax.Node) syntax.Node {
	if d := f.Keyword(cast, "dtype"); d != 0 {
		return d
	}
	return f.Arg(cast, 1)
}

// isHalf reports whether a dtype is this one and no other.
func (f *File) isHalf(n syntax.Node, dtypes ...string) bool {
	if n == 0 {
		return false
	}
	if f.Is(n, dtypes...) {
		return true
	}
	list, sure := f.Values(n)
	if !sure || len(list) != 1 {
		return false
	}
	return f.Is(list[0], dtypes...)
}

// alwaysOn reports whether a scaler is made in this file, and no argument
// switches it off.
func (f *File) alwaysOn(scaler syntax.Node) bool {
	list, sure := f.Values(scaler)
	for _, v := range list {
		if f.Kind(v) != syntax.Call || !f.Is(v, ".GradScaler") || f.Unpacks(v) {
			return false
		}
		if e := f.Keyword(v, "enabled"); e != 0 && !f.IsTrue(e) {
			return false
		}
	}
	return sure
}
