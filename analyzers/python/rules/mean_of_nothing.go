package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// meansOfNothing reports means that are a number where nothing was counted:
// right / total if total else 0, right / max(total, 1).
func (f *File) meansOfNothing(r *Report) {
	for n := range f.All(syntax.IfExp) {
		body, other := f.Child(n, syntax.RoleBody), f.Child(n, syntax.RoleOrElse)
		count := f.averaged(body)
		if count == 0 || !f.plainNumber(other) {
			continue
		}
		if name := f.resultName(n); name != "" && !named("item-count", f.Last(f.unLen(count))) && f.Path(f.unLen(count)) != "" && f.says(f.Child(n, syntax.RoleTest), f.Src(f.unLen(count))) {
			r.Say(n, "where nothing was counted %s is %s, which reads as a measurement: an evaluation of no items reports a number", name, f.Src(other))
		}
	}
	for call := range f.CallsOf("max") {
		p := f.Parent(call)
		if f.Kind(p) != syntax.BinOp || f.Op(p) != syntax.Div || f.Next(f.First(p)) != call || f.Kind(f.First(call)) != syntax.Name {
			continue
		}
		if a, b := f.Arg(call, 0), f.Arg(call, 1); f.Src(a) != "1" && f.Src(b) != "1" {
			continue
		}
		// A loss is divided by the number of its positives, an item by that of its
		// references: those are parts of a definition.
		if name := f.resultName(p); name != "" && !strings.Contains(strings.ToLower(name), "loss") && !named("item-count", f.Last(f.unLen(f.count(call)))) {
			r.Say(p, "where nothing was counted %s is 0, which reads as a measurement: an evaluation of no items reports a number", name)
		}
	}
}

// averaged is what a mean is divided by, or taken over: total of right / total,
// losses of np.mean(losses). 0: an expression is no mean.
func (f *File) averaged(n syntax.Node) syntax.Node {
	switch f.Kind(n) {
	case syntax.BinOp:
		if f.Op(n) == syntax.Div {
			return f.Next(f.First(n))
		}
	case syntax.Call:
		switch f.Last(f.First(n)) {
		case "float", "round":
			return f.averaged(f.Arg(n, 0))
		case "mean", "fmean", "nanmean", "average":
			return f.Arg(n, 0)
		}
	}
	return 0
}

// count is the argument of max(x, 1) that is not 1.
func (f *File) count(call syntax.Node) syntax.Node {
	if a := f.Arg(call, 0); f.Src(a) != "1" {
		return a
	}
	return f.Arg(call, 1)
}

// unLen is x of len(x), else the node itself.
func (f *File) unLen(n syntax.Node) syntax.Node {
	if f.Kind(n) == syntax.Call && f.Last(f.First(n)) == "len" {
		return f.Arg(n, 0)
	}
	return n
}

// resultName is the metric that a value is called: by what it is assigned to,
// the key or keyword that it is given under. Empty: it is called no metric, or
// is computed on.
func (f *File) resultName(n syntax.Node) string {
	for c, p := n, f.Parent(n); p != 0; c, p = p, f.Parent(p) {
		name := ""
		switch k := f.Kind(p); {
		case k == syntax.Assign && f.Role(c) == syntax.RoleValue:
			t := f.Child(p, syntax.RoleTarget)
			name = f.Last(t)
			if f.Kind(t) == syntax.Subscript {
				name, _ = f.Str(f.Child(t, syntax.RoleSlice))
			}
		case k == syntax.Keyword:
			name = string(f.Name(p))
		case k == syntax.Dict:
			name, _ = f.Str(f.keyOf(p, c))
		case k == syntax.Call && f.Role(c) == syntax.RoleArg && (f.Last(f.First(p)) == "round" || f.Last(f.First(p)) == "float"):
			continue
		default:
			return ""
		}
		name = name[strings.LastIndexByte(name, '/')+1:]
		// Who finds nothing has no precision, and 0 is how that is written: the
		// evaluation may have had all its items.
		if !judges(name) || strings.Contains(strings.ToLower(name), "precision") || f.trainsAround(n) {
			return ""
		}
		return name
	}
	return ""
}

// keyOf is the key of a value in a dict.
func (f *File) keyOf(dict, value syntax.Node) syntax.Node {
	key := syntax.Node(0)
	for c := range f.Children(dict) {
		if c == value {
			return key
		}
		if f.Role(c) == syntax.RoleKey {
			key = c
		}
	}
	return 0
}

// trainsAround reports whether a node stands in a loop that trains: the mean of
// a window there is for the eye.
func (f *File) trainsAround(n syntax.Node) bool {
	l := f.Loop(n)
	return l != 0 && f.trainsIn(l)
}

// weighted reports whether a value is replaced only where its weight is 0.
func (f *File) weighted(n syntax.Node) bool {
	for c, p := n, f.Parent(n); p != 0; c, p = p, f.Parent(p) {
		if f.Kind(p) == syntax.If && f.Role(c) == syntax.RoleBody && f.says(f.Child(p, syntax.RoleTest), "== 0") {
			return true
		}
	}
	return false
}
