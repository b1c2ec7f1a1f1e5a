package rules

import (
	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv715: a collective waits for every rank of its group. One that rank 0 alone
// comes to waits for ever, or is answered by the next collective of the others.
func tv715() Rule {
	return Rule{
		Code:  "TV715",
		Needs: [][]string{{"FullyShardedDataParallel", "deepspeed.initialize", "barrier", "all_reduce", "all_gather", "broadcast", "wait_for_everyone", "gather_for_metrics", "all_to_all", "reduce_scatter"}, {"is_main", "master", "main_process", "main_rank", "is_rank", "rank_zero", "primary", "coordinator", "rank ==", "rank()", "rank in", "rank not in", "rank !=", "rank >", "rank <", "RANK", "global_zero"}},
		Check: func(f *File, r *Report) {
			for _, list := range []string{"collective", "accelerate-collective"} {
				for name := range processLists()[list] {
					for call := range f.CallsOf(name) {
						if f.isCollective(call) {
							f.lonely(r, call, call, 2)
						}
					}
				}
			}
			for name := range processLists()["sharded-method"] {
				for call := range f.CallsOf(name) {
					if f.isSharded(f.Receiver(call)) {
						f.lonely(r, call, call, 2)
					}
				}
			}
		},
	}
}

// isCollective reports whether a call is a collective of all ranks: one with a
// group of its own is not.
func (f *File) isCollective(call syntax.Node) bool {
	name := f.Last(f.First(call))
	if g := f.Keyword(call, "group"); g != 0 && !f.IsNone(g) || f.Unpacks(call) {
		return false
	}
	owner := f.Last(f.Receiver(call))
	if inList("collective", name) {
		return inList("collective-owner", owner) || f.Is(call, "torch.distributed."+name)
	}
	return inList("accelerate-collective", name) && owner == "accelerator"
}

// isSharded reports whether an object is a model whose parts lie on all ranks:
// what wraps it is torch's FSDP, or DeepSpeed made it.
func (f *File) isSharded(n syntax.Node) bool {
	if n == 0 {
		return false
	}
	if f.Made(n, ".FullyShardedDataParallel") {
		return true
	}
	engine := func(b names.Binding) bool {
		return b.How == names.Assign && b.Part <= 0 && f.Kind(b.Value) == syntax.Call && f.Is(b.Value, "deepspeed.initialize")
	}
	switch f.Kind(n) {
	case syntax.Name:
		for b := range f.Names.Lookup(n, f.Name(n)) {
			if engine(b) {
				return true
			}
		}
	case syntax.Attribute:
		if f.Names.IsSelf(f.First(n)) {
			for b := range f.Names.Attr(f.Names.Class(n), f.Name(n)) {
				if engine(b) {
					return true
				}
			}
		}
	}
	return false
}

// lonely reports a collective, or a call of the function that it stands in,
// that some ranks alone come to.
func (f *File) lonely(r *Report, call, collective syntax.Node, left int) {
	at := f.ranks(call)
	if at.branch == anyRank {
		def := f.Function(call)
		if left == 0 || f.Kind(def) == syntax.Module || f.mayDecide(call) || f.onlyMain(def) {
			return
		}
		for _, caller := range f.Calls.Callers(def) {
			if f.Kind(caller) == syntax.Call && f.Function(caller) != def {
				f.lonely(r, caller, collective, left-1)
			}
		}
		return
	}
	if f.answered(call, at) {
		return
	}
	who, rest := "rank 0 alone comes", "the other ranks never join"
	if at.branch == otherRank {
		who, rest = "every rank but 0 comes", "rank 0 never joins"
	}
	out := Finding{
		At:      call,
		Message: who + " to " + f.Src(f.First(collective)) + ", which all ranks have to call: " + rest + ", and it waits until the timeout or takes the answer of another collective",
		Related: []Related{{At: at.test, Message: "this test decides"}},
	}
	if call != collective {
		out.Related = append(out.Related, Related{At: collective, Message: "the collective, in " + string(f.Name(f.Function(collective)))})
	}
	r.Add(out)
}

// answered reports whether the ranks that the test keeps from a collective may
// come to another one: in the other branch, or under the opposite test of the
// same function.
func (f *File) answered(call syntax.Node, at ranked) bool {
	for list := range map[string]bool{"collective": true, "accelerate-collective": true} {
		for name := range processLists()[list] {
			for other := range f.CallsOf(name) {
				if other != call && f.isCollective(other) && f.Function(other) == f.Function(call) && f.ranks(other).branch == at.branch.flip() {
					return true
				}
			}
		}
	}
	return f.otherArmCalls(call, at)
}

// otherArmCalls reports whether the other branch calls something that may hold
// a collective: whatever is no call of a name that Python itself has.
func (f *File) otherArmCalls(call syntax.Node, at ranked) bool {
	if f.Kind(at.stands) != syntax.If {
		return false
	}
	role := syntax.RoleOrElse
	if f.Holds(at.stands, call) {
		for n := call; n != at.stands; n = f.Parent(n) {
			if f.Parent(n) == at.stands && f.Role(n) == syntax.RoleOrElse {
				role = syntax.RoleBody
			}
		}
	} else {
		role = syntax.RoleBody
	}
	for s := range f.ChildrenOf(at.stands, role) {
		for n := range f.Within(s) {
			if f.Kind(n) == syntax.Call && !quiet(f.Last(n)) {
				return true
			}
		}
	}
	return false
}

// quiet reports whether a function is one that never talks to other ranks.
func quiet(name string) bool {
	switch name {
	case "print", "info", "debug", "warning", "error", "len", "range", "int", "float", "str", "item", "append", "format", "join", "get":
		return true
	}
	return false
}
