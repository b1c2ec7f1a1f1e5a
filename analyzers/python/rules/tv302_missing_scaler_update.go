package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// tv302: a scaler that is never updated keeps its scale: the second step on it
// raises or, where that is caught, every overflow repeats.
func tv302() Rule {
	return Rule{
		Code:  "TV302",
		Needs: [][]string{{"scaler", "Scaler"}, {".step("}},
		Check: func(f *File, r *Report) {
			engine := f.Uses(managed)
			updated := map[string]bool{}
			for _, s := range f.onScaler("update") {
				updated[f.Last(s)] = true
			}
			for step, s := range f.onScaler("step") {
				positional, keywords := f.args(step)
				if engine && !f.bound(s, "scaler-class") {
					continue // that of a framework; one that this file makes is its own
				}
				if updated[f.Last(s)] || positional+keywords == 0 || f.isOff(s) || f.isLent(step, s) || !f.scales(s) {
					continue
				}
				r.Add(f.notUpdated(step, s))
			}
		},
	}
}

// scales reports whether the file scales a loss with this scaler, or makes it:
// else whoever does may update it too.
func (f *File) scales(scaler syntax.Node) bool {
	for _, s := range f.onScaler("scale") {
		if f.Last(s) == f.Last(scaler) {
			return true
		}
	}
	return f.bound(scaler, "scaler-class")
}

// isLent reports whether a scaler is handed to another function, given back or
// kept somewhere: it may be updated there.
func (f *File) isLent(at, scaler syntax.Node) bool {
	name := f.Last(scaler)
	def := f.Function(at)
	if len(f.takes(def, scaler)) > 0 {
		return true
	}
	for n := range f.All(syntax.Return) {
		for c := range f.Within(n) {
			if k := f.Kind(c); (k == syntax.Name || k == syntax.Attribute) && string(f.Name(c)) == name && f.Role(c) != syntax.RoleValue {
				return true
			}
		}
		if v := f.First(n); v != 0 && (f.Kind(v) == syntax.Name || f.Kind(v) == syntax.Attribute) && string(f.Name(v)) == name {
			return true
		}
	}
	// A parameter that is a method's own step wrapper: the caller updates.
	return f.Param(scaler) != 0 && f.Loop(at) == 0
}

func (f *File) notUpdated(step, scaler syntax.Node) Finding {
	out := Finding{At: step, Message: f.Src(scaler) + " is never updated: the scale that overflowed is kept, and the next step finds the state of the last one"}
	if f.Kind(f.Parent(step)) == syntax.ExprStmt {
		out.Fixes = []Fix{{Message: "update the scaler behind its steps", Edits: []Edit{f.After(step, f.Src(scaler)+".update()")}}}
	}
	return out
}
