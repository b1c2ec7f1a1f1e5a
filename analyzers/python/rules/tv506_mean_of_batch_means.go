package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv506: means of batches are added up and divided by the number of batches: an
// item of a small last batch counts for more than the others.
func tv506() Rule {
	return Rule{
		Code:  "TV506",
		Needs: [][]string{{"/ len(", "/= len(", "/len("}, {"loader", "batches"}, {"loss", "metric", "acc +=", "accuracy"}},
		Quick: loopsToJudge,
		Check: func(f *File, r *Report) {
			f.evalLoops(func(l evalLoop) bool {
				for n := range f.Within(l.loop) {
					if f.Kind(n) == syntax.AugAssign && f.Op(n) == syntax.Add {
						f.batchMeans(r, l, n)
					}
				}
				return true
			})
		},
	}
}

func (f *File) batchMeans(r *Report, l evalLoop, add syntax.Node) {
	target, value := f.Child(add, syntax.RoleTarget), f.Child(add, syntax.RoleValue)
	if f.Kind(target) != syntax.Name || !f.isBatchMean(value) {
		return
	}
	divided := f.dividedByBatches(l, string(f.Name(target)))
	if divided == 0 || f.says(l.loop, "reduction=\"sum\"", "reduction='sum'") {
		return
	}
	r.Add(Finding{At: add, Message: "means of batches are averaged: where the last batch is smaller its items weigh more, and the metric depends on the size of the batches",
		Related: []Related{{At: divided, Message: "divided by the number of batches here"}}})
}

// isBatchMean reports whether a value is the loss of a batch by itself:
// loss.item(), not loss.item() * len(x), not a count.
func (f *File) isBatchMean(n syntax.Node) bool {
	for f.Kind(n) == syntax.Call {
		fun := f.First(n)
		if f.Kind(fun) != syntax.Attribute {
			if f.Last(fun) == "float" {
				n = f.Arg(n, 0)
				continue
			}
			return false
		}
		switch string(f.Name(fun)) {
		case "item", "detach", "cpu", "mean", "float":
			n = f.First(fun)
		default:
			return false
		}
	}
	name := strings.ToLower(f.Last(n))
	return (f.Kind(n) == syntax.Name || f.Kind(n) == syntax.Attribute) && (strings.HasSuffix(name, "loss") || strings.HasSuffix(name, "acc") || strings.HasSuffix(name, "accuracy"))
}

// dividedByBatches is where a sum is divided by the length of the loader behind
// the loop; 0: nowhere.
func (f *File) dividedByBatches(l evalLoop, name string) syntax.Node {
	for n := range f.Within(l.def) {
		if f.Start(n) < f.End(l.loop) {
			continue
		}
		var left, right syntax.Node
		switch f.Kind(n) {
		case syntax.BinOp:
			if f.Op(n) == syntax.Div {
				left, right = f.First(n), f.Next(f.First(n))
			}
		case syntax.AugAssign:
			if f.Op(n) == syntax.Div {
				left, right = f.Child(n, syntax.RoleTarget), f.Child(n, syntax.RoleValue)
			}
		}
		if left != 0 && f.baseName(left) == name && f.Kind(right) == syntax.Call && f.Last(f.First(right)) == "len" && f.Same(f.Arg(right, 0), l.over) {
			return n
		}
	}
	return 0
}
