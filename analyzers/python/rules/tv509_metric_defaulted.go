package rules

import (
	"math"
	"strconv"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv509: a metric that is missing or no number is written as a number, and
// looks like a measurement from then on.
func tv509() Rule {
	return Rule{
		Code:  "TV509",
		Needs: [][]string{{".get(", "isnan(", "nan_to_num(", "else 0", "max(1,", ", 1)"}, {"metric", "loss", "accuracy", "score", "results"}},
		Quick: defaultsMetric, Searched: defaultPlaces,
		Check: func(f *File, r *Report) {
			for call := range f.CallsOf("get") {
				if name := f.defaultedMetric(call); name != "" {
					r.Say(call, "where %s is missing this is %s, which reads as a measurement: a run that measured nothing reports a number", name, f.Src(f.Arg(call, 1)))
				}
			}
			for call := range f.CallsOf("isnan") {
				if at, name := f.replacedNaN(call); at != 0 {
					r.Say(at, "%s that is no number is replaced by one here, which reads as a measurement: what went wrong is not seen any more", name)
				}
			}
			f.meansOfNothing(r)
			for call := range f.CallsOf("nan_to_num") {
				arg := f.Arg(call, 0)
				if name := f.Last(arg); judges(name) && f.isModule(f.First(call)) && f.Kind(f.Parent(call)) != syntax.ExprStmt && !f.weighted(call) {
					r.Say(call, "%s that is no number is replaced by 0 here, which reads as a measurement: what went wrong is not seen any more", name)
				}
			}
		},
	}
}

// judges reports whether a name is that of a metric and of nothing else: scores
// are those of attention as often.
func judges(name string) bool {
	name = strings.ToLower(name)
	return isMetric(name) && !named("metric-not", name) && !strings.Contains(name, "score") && name != "map" && name != "error" && name != "err"
}

func (f *File) isModule(fun syntax.Node) bool {
	path := f.Path(fun)
	return strings.HasPrefix(path, "torch.") || strings.HasPrefix(path, "numpy.") || strings.HasPrefix(path, "np.")
}

// defaultedMetric is the metric that a call of get() replaces by a number where
// it is missing; empty: none.
func (f *File) defaultedMetric(call syntax.Node) string {
	key, ok := f.Str(f.Arg(call, 0))
	if !ok || !f.plainNumber(f.Arg(call, 1)) || f.Arg(call, 2) != 0 {
		return ""
	}
	last := key[strings.LastIndexByte(key, '/')+1:]
	for _, prefix := range []string{"eval_", "val_", "test_", "train_", "valid_", "mean_", "avg_", "best_"} {
		last = strings.TrimPrefix(last, prefix)
	}
	box := f.Last(f.Receiver(call))
	if !isMetric(last) || named("metric-not", key) || !named("metric-box", box) || named("settings-name", box) || f.counts(call) || f.tested(call) {
		return ""
	}
	return key
}

// counts reports whether a value is only the start of a sum.
func (f *File) counts(call syntax.Node) bool {
	p := f.Parent(call)
	return f.Kind(p) == syntax.BinOp && f.Op(p) == syntax.Add
}

// tested reports whether a value is compared and no more: whether it is there.
func (f *File) tested(call syntax.Node) bool { return f.Kind(f.Parent(call)) == syntax.Compare }

// sentinel is from where on a number is too large for anybody to take it for a
// measurement.
const sentinel = 1e6

// plainNumber reports whether an expression is a number that a metric could be.
func (f *File) plainNumber(n syntax.Node) bool {
	if f.Kind(n) == syntax.UnaryOp {
		return false // -1 is a mark
	}
	if n == 0 || f.Kind(n) != syntax.Constant || f.Op(n) != syntax.Int && f.Op(n) != syntax.Float {
		return false
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(f.Src(n), "_", ""), 64)
	return err == nil && math.Abs(v) < sentinel
}

// metricOf is what a value is called: by its last name, or by the key in a dict.
func (f *File) metricOf(n syntax.Node) string {
	if n != 0 && f.Kind(n) == syntax.Subscript {
		if key, ok := f.Str(f.Child(n, syntax.RoleSlice)); ok {
			return key[strings.LastIndexByte(key, '/')+1:]
		}
	}
	return f.Last(n)
}

// replacedNaN is where the value that a call of isnan() looks at is replaced by
// a number, and its name.
func (f *File) replacedNaN(call syntax.Node) (at syntax.Node, name string) {
	arg := f.Arg(call, 0)
	name = f.metricOf(arg)
	if arg == 0 || !judges(name) || !f.isModule(f.First(call)) && !strings.HasPrefix(f.Path(f.First(call)), "math.") {
		return 0, ""
	}
	negated := false
	for n, p := call, f.Parent(call); p != 0; n, p = p, f.Parent(p) {
		switch k := f.Kind(p); {
		case k == syntax.UnaryOp && f.Op(p) == syntax.Not:
			negated = !negated
		case k == syntax.BoolOp, k == syntax.Call: // isnan(x).any()
		case k == syntax.Attribute:
		case k == syntax.IfExp && f.Role(n) == syntax.RoleTest:
			value := f.Child(p, syntax.RoleBody)
			if negated {
				value = f.Child(p, syntax.RoleOrElse)
			}
			if f.plainNumber(value) {
				return p, name
			}
			return 0, ""
		case k == syntax.If && f.Role(n) == syntax.RoleTest && !negated:
			for s := range f.ChildrenOf(p, syntax.RoleBody) {
				if f.Kind(s) == syntax.Assign && f.metricOf(f.Child(s, syntax.RoleTarget)) == name && f.plainNumber(f.Child(s, syntax.RoleValue)) {
					return s, name
				}
			}
			return 0, ""
		default:
			return 0, ""
		}
	}
	return 0, ""
}
