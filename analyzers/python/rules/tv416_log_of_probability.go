package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv416: a softmax or sigmoid reaches 0 where its logit is far enough away. The
// logarithm is then infinite, its gradient is not a number, and the weights are
// none after the step.
func tv416() Rule {
	return Rule{
		Code:  "TV416",
		Needs: [][]string{{"sigmoid(", "softmax(", "exp("}, {".log("}, {"loss", "Loss"}},
		Check: func(f *File, r *Report) {
			for call := range f.CallsOf("log") {
				value := f.Receiver(call)
				if f.Is(call, "torch.log") {
					value = f.Arg(call, 0)
				} else if k := f.Kind(value); k != syntax.Call && k != syntax.BinOp {
					continue
				}
				if squash := f.squash(value); squash != 0 && f.forLoss(call) {
					r.Add(f.logOfProbability(call, squash))
				}
			}
		},
	}
}

// squash is the call of softmax or sigmoid that a value is, itself or as what is
// missing to 1, or the exp that 1 is added to; 0: it is none, or something keeps
// it from 0.
func (f *File) squash(n syntax.Node) syntax.Node {
	switch f.Kind(n) {
	case syntax.BinOp:
		left, right := f.First(n), f.Next(f.First(n))
		switch {
		case f.Op(n) == syntax.Sub && f.numeric(left):
			return f.squash(right)
		case f.Op(n) == syntax.Add && f.numeric(left) && f.isExp(right):
			return right
		case f.Op(n) == syntax.Add && f.numeric(right) && f.isExp(left):
			return left
		}
	case syntax.Name:
		list, sure := f.Values(n)
		if sure && len(list) == 1 && f.Kind(list[0]) == syntax.Call && f.Function(list[0]) == f.Function(n) {
			return f.squash(list[0])
		}
	case syntax.Call:
		name := f.Last(f.First(n))
		if o := f.Receiver(n); (name == "sigmoid" || name == "softmax") && (o != 0 || f.Is(n, "torch.nn.functional."+name)) {
			return n
		}
	}
	return 0
}

func (f *File) isExp(n syntax.Node) bool {
	return f.Kind(n) == syntax.Call && f.Last(f.First(n)) == "exp" && !f.Is(n, "math.exp", "numpy.exp")
}

// forLoss reports whether a value goes into a loss, by the names around it.
func (f *File) forLoss(n syntax.Node) bool {
	at := f.statement(n)
	names := string(f.Name(f.Names.Function(n))) + " " + string(f.Name(f.Names.Class(n)))
	for t := range f.ChildrenOf(at, syntax.RoleTarget) {
		names += " " + f.Last(t)
	}
	return strings.Contains(strings.ToLower(names), "loss")
}

func (f *File) logOfProbability(call, squash syntax.Node) Finding {
	name := f.Last(f.First(squash))
	better := map[string]string{"sigmoid": "logsigmoid", "softmax": "log_softmax"}[name]
	out := Finding{At: call, Message: "the logarithm of a " + name + " is infinite where it reaches 0, and its gradient no number: " + better + " is exact there"}
	if name == "exp" {
		out.Message = "exp overflows at 89, in float16 at 12: the loss is infinite there and its gradient no number, softplus is exact"
	}
	if squash != f.Arg(call, 0) && squash != f.Receiver(call) {
		out.Related = []Related{{At: squash, Message: "the " + name}}
	}
	return out
}
