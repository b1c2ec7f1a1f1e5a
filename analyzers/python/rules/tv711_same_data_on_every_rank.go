package rules

import (
	"slices"
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/calls"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
	"github.com/trainvet/trainvet/analyzers/site"
)

// splitWords tell that a file shares out its data by other means than a sampler
// that a loader is given.
var splitWords = []string{"Sampler", "split_dataset_by_node", "split_by_node", "split_by_worker", "nodesplitter", "prepare_data_loader", "wds", "webdataset", "dali", "shard"}

// tv711: every rank, or every worker, goes over all of the data: what counts as
// one epoch is as many as there are of them, and a metric summed over the ranks
// counts each item as often.
func tv711() Rule {
	return Rule{
		Code:  "TV711",
		Needs: [][]string{{"DataLoader("}, {"DistributedDataParallel", "DDP(", "IterableDataset"}},
		Check: func(f *File, r *Report) {
			if f.Uses(Accelerate | Lightning | Fabric | Transformers | DeepSpeed | Fairseq | SpeechBrain | Engine) {
				return
			}
			wrap := f.wrapped()
			splits := wrap == 0 || f.splitsData()
			for call := range f.CallsOf("DataLoader") {
				if !f.Is(call, "torch.utils.data.DataLoader", ".data.DataLoader", "torch.utils.data.dataloader.DataLoader") || f.Unpacks(call) {
					continue
				}
				if !f.wholeInEachWorker(r, call) && !splits {
					f.wholeOnEachRank(r, call, wrap)
				}
			}
		},
	}
}

// wrapped is where the file wraps a model in torch's DistributedDataParallel.
func (f *File) wrapped() syntax.Node {
	for _, name := range []string{"DistributedDataParallel", "DDP"} {
		for call := range f.CallsOf(name) {
			if f.Is(call, "torch.nn.parallel.DistributedDataParallel", ".parallel.DistributedDataParallel", "torch.nn.parallel.distributed.DistributedDataParallel") {
				return call
			}
		}
	}
	return 0
}

func (f *File) splitsData() bool {
	for n := range f.Preorder(f.Root()) {
		switch f.Kind(n) {
		case syntax.Name, syntax.Attribute, syntax.Alias, syntax.Keyword, syntax.Ident:
			if name := string(f.Name(n)); slices.ContainsFunc(splitWords, func(w string) bool { return strings.Contains(name, w) }) {
				return true
			}
		}
	}
	return false
}

// wholeOnEachRank reports a loader of the data that a wrapped model trains on,
// which knows nothing of ranks.
func (f *File) wholeOnEachRank(r *Report, call, wrap syntax.Node) {
	for _, arg := range []string{"sampler", "batch_sampler"} {
		if f.Keyword(call, arg) != 0 {
			return
		}
	}
	data := f.ArgOr(call, 0, "dataset")
	if data == 0 || f.Arg(call, 3) != 0 || evaluates(f.assigned(call)) || evaluates(f.Src(data)) || f.perRank(data, maxOrigin) || !f.feeds(call) {
		return
	}
	r.Add(Finding{
		At:      call,
		Message: "the model is wrapped for several ranks and this loader has no DistributedSampler: every rank trains on all of " + f.Src(data) + ", so that one epoch is as many as there are ranks",
		Related: []Related{{At: wrap, Message: "wrapped here"}},
	})
}

// feeds reports whether a loop that computes gradients goes over what a call is
// assigned to: in the same function, in another method of the class, or in a
// function that it is handed to.
func (f *File) feeds(call syntax.Node) bool {
	name := f.assigned(call)
	if name == "" {
		return false
	}
	def := f.Function(call)
	for loop := range f.All(syntax.For) {
		if !f.callsAny(loop, "backward") {
			continue
		}
		in := f.Function(loop)
		switch over := f.Child(loop, syntax.RoleIter); {
		case in == def, strings.HasPrefix(name, "self.") && f.Names.Class(loop) == f.Names.Class(call):
			if f.namesIn(over, name) {
				return true
			}
		case f.handsTo(def, in, name):
			return true
		}
	}
	return false
}

// handsTo reports whether a function calls another one with a name among the
// arguments.
func (f *File) handsTo(from, to syntax.Node, name string) bool {
	for n := range f.Within(from) {
		if f.Kind(n) != syntax.Call || !f.namesIn(n, name) {
			continue
		}
		if def, _ := f.Calls.Callee(n); def == to {
			return true
		}
	}
	return false
}

// wholeInEachWorker reports a loader with workers over an iterable dataset that
// asks for no worker: each worker yields all items.
func (f *File) wholeInEachWorker(r *Report, call syntax.Node) bool {
	workers := f.ArgOr(call, 5, "num_workers")
	data := f.ArgOr(call, 0, "dataset")
	if workers == 0 || data == 0 || f.Src(workers) == "0" || f.Across == nil || f.Keyword(call, "worker_init_fn") != 0 {
		return false
	}
	class := f.Across.ClassOf(f.View, data)
	if class.Is != calls.Class || class.Node == 0 {
		return false
	}
	iterable := false
	for c := range f.Across.Lineage(class) {
		if sharesOut(string(c.File.Syntax.Source(c.Node))) {
			return false
		}
		for b := range c.File.Syntax.ChildrenOf(c.Node, syntax.RoleBase) {
			switch name := string(c.File.Syntax.Name(b)); {
			case name == "IterableDataset":
				iterable = true
			case name == "object", name == "ABC", name == "Generic":
			case f.Across.Symbol(c.File, b).Is != calls.Class:
				return false // a base that is not seen may share out
			}
		}
	}
	if !iterable {
		return false
	}
	r.Add(Finding{
		At:      call,
		Message: "the iterable dataset " + f.Src(data) + " asks for no worker and this loader has " + f.Src(workers) + " of them: each yields all items, so that one epoch holds every item as often as there are workers",
		Related: []Related{f.classRelated(class)},
	})
	return true
}

func (f *File) classRelated(class calls.Symbol) Related {
	const message = "it yields its items here, and knows nothing of workers"
	if class.File == f.View {
		return Related{At: class.Node, Message: message}
	}
	p := class.File.Syntax.Pos(class.Node)
	return Related{There: site.Position{File: class.File.Name, Line: p.Line, Column: p.Column + 1}, Message: message}
}

// sharesOut reports whether a class says something of workers or ranks, or
// makes what it yields by chance.
func sharesOut(text string) bool {
	return says(text, []string{"worker", "rank", "shard", "replica", "world_size", "rand", "process_index"})
}
