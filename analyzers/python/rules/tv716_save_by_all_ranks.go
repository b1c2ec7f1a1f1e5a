package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/names"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv716: every rank writes the same file at once. What is read back is a
// mixture, or cut short, and may load all the same.
func tv716() Rule {
	return Rule{
		Code:  "TV716",
		Needs: [][]string{{"torch.save", "import save"}, {"init_process_group", "DistributedDataParallel", "DDP("}},
		Check: func(f *File, r *Report) {
			if f.Uses(Accelerate | Lightning | Fabric | Transformers | DeepSpeed | Engine) {
				return
			}
			for call := range f.CallsOf("save") {
				if f.Is(call, "torch.save") {
					f.savedByAll(r, call)
				}
			}
		},
	}
}

func (f *File) savedByAll(r *Report, call syntax.Node) {
	path := f.ArgOr(call, 1, "f")
	if path == 0 || f.buffers(path) || f.perRank(path, maxOrigin) {
		return
	}
	at := f.launch()
	if at == 0 || !f.allRanks(call, maxOrigin, map[syntax.Node]bool{}) {
		return
	}
	out := Finding{
		At:      call,
		Message: "every rank writes " + f.Src(path) + ", nothing here asks for the rank: the ranks write one file at the same time, and what is loaded from it may be cut short or mixed",
		Related: []Related{{At: at, Message: "run by several ranks"}},
	}
	if stmt := f.Parent(call); f.Kind(stmt) == syntax.ExprStmt && f.alone(stmt) && strings.Contains(string(f.Text()), "import torch.distributed as dist") {
		out.Fixes = []Fix{{Message: "save on rank 0 alone", Edits: []Edit{{f.Start(stmt), f.Start(stmt), "if dist.get_rank() == 0:\n" + f.indent(stmt) + "    "}}}}
	}
	r.Add(out)
}

// launch is where this file makes the process one of several: the call of
// init_process_group, or of the wrapper; 0: another one does.
func (f *File) launch() syntax.Node {
	for _, name := range []string{"init_process_group", "DistributedDataParallel", "DDP"} {
		for call := range f.CallsOf(name) {
			if name != "init_process_group" || f.Is(call, "torch.distributed.init_process_group", ".init_process_group") {
				return call
			}
		}
	}
	return 0
}

// buffers reports whether what is written to is no path.
func (f *File) buffers(path syntax.Node) bool {
	return says(f.Last(path), []string{"buf", "bio", "stream", "io"}) || f.Made(path, "io.BytesIO", ".BytesIO")
}

// perRank reports whether a path speaks of the rank, itself or by what it is
// made of.
func (f *File) perRank(path syntax.Node, left int) bool {
	if left == 0 {
		return false
	}
	for n := range f.Preorder(path) {
		if k := f.Kind(n); k != syntax.Name && k != syntax.Attribute {
			continue
		}
		name := strings.ToLower(string(f.Name(n)))
		if strings.Contains(name, "rank") || strings.Contains(name, "shard") || strings.Contains(name, "worker") || name == "gpu" || name == "pid" || name == "getpid" {
			return true
		}
		if f.perItem(n) {
			return true // the ranks go over different items
		}
		list, _ := f.Values(n)
		for _, v := range list {
			if v != path && f.perRank(v, left-1) {
				return true
			}
		}
	}
	return false
}

// perItem reports whether a name is bound by a loop over something other than
// numbers: the ranks may go over different parts of it.
func (f *File) perItem(n syntax.Node) bool {
	if f.Kind(n) != syntax.Name {
		return false
	}
	for b := range f.Names.Lookup(n, f.Name(n)) {
		if b.How == names.Loop && f.Last(b.Value) != "range" && f.Last(b.Value) != "trange" && f.Last(b.Value) != "count" {
			return true
		}
	}
	return false
}

// allRanks reports whether every rank surely comes to a node: no test of the
// rank stands around it, nor around any call of its function in this file.
func (f *File) allRanks(n syntax.Node, left int, seen map[syntax.Node]bool) bool {
	if f.ranks(n).branch != anyRank || f.mayDecide(n) || left == 0 {
		return false
	}
	def := f.Function(n)
	if f.Kind(def) == syntax.Module {
		return true
	}
	if f.onlyMain(def) || seen[def] {
		return false
	}
	seen[def] = true
	callers := f.Calls.Callers(def)
	if len(callers) == 0 {
		return f.callsAny(def, "init_process_group", "DistributedDataParallel", "DDP")
	}
	for _, c := range callers {
		if f.Kind(c) == syntax.Call && !f.allRanks(c, left-1, seen) {
			return false
		}
	}
	return true
}

// mayDecide reports whether a test around a node, within its function, asks for
// something that may stand for the rank: a flag, or another call.
func (f *File) mayDecide(n syntax.Node) bool {
	for p := f.Parent(n); p != 0 && !f.Kind(p).IsFunction(); n, p = p, f.Parent(p) {
		if f.Kind(p) != syntax.If && f.Kind(p) != syntax.With {
			continue
		}
		from := f.Child(p, syntax.RoleTest)
		if f.Kind(p) == syntax.With {
			from = f.Child(p, syntax.RoleItem)
		}
		for c := range f.Preorder(from) {
			if k := f.Kind(c); k == syntax.Name || k == syntax.Attribute {
				if says(string(f.Name(c)), []string{"rank", "main", "master", "primary", "chief", "gpu", "zero", "save", "world", "distributed", "writer", "log"}) {
					return true
				}
			}
		}
	}
	return false
}
