package rules

import (
	"bytes"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv510: what rank 0 reports of an evaluation is of its own share of the data.
func tv510() Rule {
	return Rule{
		Code:  "TV510",
		Needs: [][]string{{"DistributedSampler", "accelerator.prepare("}, {"rank", "is_main_process", "is_master", "master_process"}},
		Check: func(f *File, r *Report) {
			if f.Uses(Lightning | Transformers | Fairseq | SpeechBrain) {
				return
			}
			for n := range f.All(syntax.If) {
				if f.isRankZero(f.Child(n, syntax.RoleTest)) {
					f.shareReported(r, n)
				}
			}
		},
	}
}

// rankZero is what a test that only one process passes is written with.
var rankZero = []string{"rank == 0", "rank()==0", "rank==0", "rank() == 0", "is_main_process", "is_master", "master_process", "in [-1, 0]", "is_local_main_process", "is_rank_zero"}

func (f *File) isRankZero(test syntax.Node) bool {
	if k := f.Kind(test); k == syntax.UnaryOp || k == syntax.BoolOp && f.Op(test) == syntax.Or {
		return false
	}
	return f.says(test, rankZero...)
}

// shareReported looks at what the body of a rank-0 test prints and logs.
func (f *File) shareReported(r *Report, n syntax.Node) {
	told := map[string]bool{}
	for body := range f.ChildrenOf(n, syntax.RoleBody) {
		for c := range f.Within(body) {
			if f.Kind(c) != syntax.Name || f.Context(c) != syntax.Load || told[string(f.Name(c))] || !f.evaluates(string(f.Name(c))) || !f.reported(c, body) {
				continue
			}
			name := string(f.Name(c))
			told[name] = true
			if from := f.shareOf(n, c); from != 0 {
				r.Add(Finding{At: c, Message: name + " is reported by one process, of its own share of the data: no reduction over the processes comes before, and the number is that of a part of the split",
					Related: []Related{{At: from, Message: "every process computes it of its share here"}}})
			}
		}
	}
}

// evaluates reports whether a name is a metric of an evaluation.
func (f *File) evaluates(name string) bool {
	lower := strings.ToLower(name)
	return isMetric(name) && (strings.HasPrefix(lower, "val") || strings.HasPrefix(lower, "test") || strings.HasPrefix(lower, "eval") || strings.HasPrefix(lower, "dev"))
}

// shareOf is the call by which every process computes a metric of its share:
// made outside of the test, by a function that reduces nothing. 0: it is not
// seen, or something reduces.
func (f *File) shareOf(test, use syntax.Node) (from syntax.Node) {
	def := f.Function(use)
	if f.reduces(f.Tree, def) {
		return 0
	}
	for b := range f.Names.Lookup(use, f.Name(use)) {
		if b.Value == 0 || f.Function(b.Target) != def {
			return 0
		}
		value := b.Value
		if f.underRankZero(b.Target) || f.Kind(value) != syntax.Call {
			continue
		}
		fn := f.evaluatorOf(value)
		if fn.Def == 0 || f.reducesBelow(fn, 3) || !loopsOver(fn) {
			return 0
		}
		from = value
	}
	return from
}

func (f *File) evaluatorOf(call syntax.Node) calls.Func {
	if f.Across != nil {
		return f.Across.Callee(f.View, call)
	}
	def, method := f.Calls.Callee(call)
	return calls.Func{File: f.View, Def: def, Method: method}
}

// underRankZero reports whether a node is reached by one process alone.
func (f *File) underRankZero(n syntax.Node) bool {
	for c, p := n, f.Parent(n); p != 0; c, p = p, f.Parent(p) {
		if f.Kind(p) == syntax.If && f.Role(c) == syntax.RoleBody && f.isRankZero(f.Child(p, syntax.RoleTest)) {
			return true
		}
	}
	return false
}

// reducers are what brings the shares of processes together.
var reducers = [][]byte{[]byte("reduce"), []byte("gather"), []byte("synchronize"), []byte("sync_"), []byte("average_across"), []byte("metric_average"), []byte("compute()"), []byte("all_"), []byte("dist_"), []byte("barrier")}

func (f *File) reduces(t *syntax.Tree, def syntax.Node) bool {
	src := t.Source(def)
	for _, w := range reducers {
		if bytes.Contains(src, w) {
			return true
		}
	}
	return false
}

// reducesBelow reports whether a function or one that it calls reduces, or
// calls one that is not seen with the data.
func (f *File) reducesBelow(fn calls.Func, depth int) bool {
	t := fn.File.Syntax
	if f.reduces(t, fn.Def) {
		return true
	}
	if depth == 0 || f.Across == nil {
		return false
	}
	for n := range t.Preorder(fn.Def) {
		if t.Kind(n) == syntax.Call {
			if inner := f.Across.Callee(fn.File, n); inner.Def != 0 && inner.Def != fn.Def && f.reducesBelow(inner, depth-1) {
				return true
			}
		}
	}
	return false
}

// loopsOver reports whether a function goes over a loader.
func loopsOver(fn calls.Func) bool {
	t := fn.File.Syntax
	for n := range t.Preorder(fn.Def) {
		if t.Kind(n) == syntax.For {
			for c := range t.Preorder(t.Child(n, syntax.RoleIter)) {
				if k := t.Kind(c); (k == syntax.Name || k == syntax.Attribute) && named("loader-name", string(t.Name(c))) {
					return true
				}
			}
		}
	}
	return false
}
