package rules

import (
	"strings"

	"github.com/trainvet/trainvet/analyzers/python/flow"
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv701: a child that is forked from a process which has used a device gets a
// copy of a runtime that it cannot use: it hangs, raises, or computes on nothing.
func tv701() Rule {
	return Rule{
		Code:  "TV701",
		Needs: [][]string{{"Process(", "Pool(", "ProcessPoolExecutor(", "fork()"}, {"torch"}, {"backward(", "cuda", "'mps", "\"mps", "xpu:"}},
		Facts: []string{"set_start_method("},
		Check: func(f *File, r *Report) {
			for _, name := range []string{"Process", "Pool", "ProcessPoolExecutor", "fork"} {
				for start := range f.CallsOf(name) {
					if f.forks(start) {
						f.forkAfterUse(r, start)
					}
				}
			}
		},
	}
}

// forks reports whether a call makes children by fork: what the name stands for
// says so, or what Python does by itself on Linux up to 3.13.
func (f *File) forks(start syntax.Node) bool {
	if f.Is(start, "os.fork") {
		return true
	}
	if f.Is(start, "multiprocessing.Process", "torch.multiprocessing.Process", "multiprocessing.Pool", "torch.multiprocessing.Pool", "multiprocessing.pool.Pool") {
		return true
	}
	if f.Is(start, "concurrent.futures.ProcessPoolExecutor", "concurrent.futures.process.ProcessPoolExecutor") {
		ctx := f.Keyword(start, "mp_context")
		return ctx == 0 || f.forkContext(ctx)
	}
	return f.Receiver(start) != 0 && f.forkContext(f.Receiver(start))
}

// startsByFork reports whether this file itself chooses fork for its children.
func (f *File) startsByFork() bool {
	for call := range f.CallsOf("set_start_method") {
		if method, _ := f.Str(f.ArgOr(call, 0, "method")); method == "fork" {
			return true
		}
	}
	return false
}

// forkContext reports whether an expression is get_context("fork").
func (f *File) forkContext(n syntax.Node) bool {
	if f.Kind(n) == syntax.Name || f.Kind(n) == syntax.Attribute {
		list, sure := f.Values(n)
		if !sure || len(list) != 1 {
			return false
		}
		n = list[0]
	}
	method, _ := f.Str(f.Arg(n, 0))
	return f.Kind(n) == syntax.Call && f.Last(f.First(n)) == "get_context" && method == "fork"
}

func (f *File) forkAfterUse(r *Report, start syntax.Node) {
	child, work := f.childWork(start)
	if work == 0 {
		return
	}
	used := f.usedBefore(start)
	if used == 0 {
		return
	}
	out := Finding{
		At:      start,
		Message: "a child is forked here after this process has used the device: " + child + " in it hangs, raises, or computes on a runtime that is no more",
		Related: []Related{{At: used, Message: "the device, or the threads of autograd, are used here"}, {At: work, Message: "and by the child here"}},
	}
	if !f.startsByFork() {
		out.Unless = []string{"set_start_method("}
	}
	if fun := f.First(start); f.Kind(fun) == syntax.Attribute && f.Kind(f.First(fun)) == syntax.Name && !f.Is(start, "os.fork") && f.Path(f.First(fun)) != "" && strings.HasSuffix(f.Path(f.First(fun)), "multiprocessing") {
		object := f.First(fun)
		out.Fixes = []Fix{{Message: "spawn the child", Edits: []Edit{f.Replace(object, f.Src(object)+".get_context(\"spawn\")")}}}
	}
	r.Add(out)
}

// childWork is what the child calls, and where that uses a device.
func (f *File) childWork(start syntax.Node) (name string, work syntax.Node) {
	if f.Is(start, "os.fork") {
		return "what follows", f.forkedBranch(start)
	}
	targets := []syntax.Node{f.Keyword(start, "target"), f.Keyword(start, "initializer")}
	for _, call := range f.handedTo(start) {
		targets = append(targets, f.Arg(call, 0))
	}
	for _, t := range targets {
		if t == 0 {
			continue
		}
		if def, _ := f.Calls.Callee(t); def != 0 {
			if n := f.deviceWork(def, 2); n != 0 {
				return f.Src(t), n
			}
		}
	}
	return "", 0
}

// handedTo are the calls that hand work to a pool: pool.map(f, items).
func (f *File) handedTo(start syntax.Node) []syntax.Node {
	name := f.assigned(start)
	if item := f.Parent(start); f.Kind(item) == syntax.WithItem {
		if v := f.Child(item, syntax.RoleVars); v != 0 {
			name = f.Src(v)
		}
	}
	if name == "" {
		return nil
	}
	var out []syntax.Node
	for _, method := range []string{"map", "imap", "imap_unordered", "starmap", "apply", "apply_async", "map_async", "starmap_async", "submit"} {
		for call := range f.CallsOf(method) {
			if f.Src(f.Receiver(call)) == name && f.Function(call) == f.Function(start) {
				out = append(out, call)
			}
		}
	}
	return out
}

// forkedBranch is where the child of os.fork() uses a device: in the branch of
// pid == 0.
func (f *File) forkedBranch(start syntax.Node) syntax.Node {
	pid := f.assigned(start)
	for n := range f.All(syntax.If) {
		test := f.Child(n, syntax.RoleTest)
		if f.Function(n) != f.Function(start) || f.Src(test) != pid+" == 0" && f.Src(test) != "not "+pid && f.Src(test) != "os.fork() == 0" {
			continue
		}
		for s := range f.ChildrenOf(n, syntax.RoleBody) {
			if work := f.deviceWork(s, 2); work != 0 {
				return work
			}
		}
	}
	return 0
}

// deviceWork is a place below a node, or in what it calls, that uses a device.
func (f *File) deviceWork(n syntax.Node, hops int) syntax.Node {
	for c := range f.Preorder(n) {
		if f.Kind(c) != syntax.Call {
			continue
		}
		if f.usesDevice(c) {
			return c
		}
		if hops == 0 {
			continue
		}
		if def, _ := f.Calls.Callee(c); def != 0 && def != n {
			if work := f.deviceWork(def, hops-1); work != 0 {
				return work
			}
		}
	}
	return 0
}

// usesDevice reports whether a call starts the runtime of a device, or the
// threads of autograd.
func (f *File) usesDevice(call syntax.Node) bool {
	fun := f.First(call)
	switch f.Last(fun) {
	case "backward":
		return f.Receiver(call) != 0
	case "cuda", "xpu":
		return f.Receiver(call) != 0 && f.Last(f.Receiver(call)) != "torch"
	case "to", "tensor", "zeros", "ones", "randn", "empty", "full", "rand":
		return f.onDevice(f.Arg(call, 0)) || f.onDevice(f.Keyword(call, "device"))
	case "synchronize", "set_device", "current_device", "empty_cache", "mem_get_info", "init", "memory_allocated":
		return strings.HasPrefix(f.Path(fun), "torch.cuda.") || strings.HasPrefix(f.Path(fun), "torch.mps.")
	}
	return false
}

// onDevice reports whether an expression names an accelerator: "cuda:0", or a
// name that is bound to one.
func (f *File) onDevice(n syntax.Node) bool {
	if n == 0 {
		return false
	}
	if text, ok := f.Str(n); ok {
		return strings.HasPrefix(text, "cuda") || strings.HasPrefix(text, "mps") || strings.HasPrefix(text, "xpu")
	}
	switch f.Kind(n) {
	case syntax.JoinedStr:
		return strings.Contains(f.Src(n), "cuda")
	case syntax.IfExp:
		return f.onDevice(f.Child(n, syntax.RoleBody)) || f.onDevice(f.Child(n, syntax.RoleOrElse))
	case syntax.Call:
		return f.Is(n, "torch.device") && f.onDevice(f.Arg(n, 0))
	case syntax.Name:
		list, _ := f.Values(n)
		for _, v := range list {
			if f.Kind(v) != syntax.Name && f.onDevice(v) {
				return true
			}
		}
	}
	return false
}

// usedBefore is where the process has used a device on some way to a node: in
// its function, in what that calls, or at the top of the module.
func (f *File) usedBefore(start syntax.Node) syntax.Node {
	g := f.Graph(start)
	if g.Cut() {
		return 0
	}
	for n := range f.Within(f.Function(start)) {
		if f.Kind(n) != syntax.Call || n == start || flow.Exclusive(f.Tree, n, start) {
			continue
		}
		used := n
		if !f.usesDevice(n) {
			def, _ := f.Calls.Callee(n)
			if def == 0 {
				continue
			}
			if used = f.deviceWork(def, 1); used == 0 {
				continue
			}
		}
		if f.leadsTo(g, n, start) {
			return used
		}
	}
	return 0
}

func (f *File) leadsTo(g *flow.Graph, from, to syntax.Node) bool {
	for a := range g.At(from) {
		for b := range g.At(to) {
			if a != b && g.Reaches(a, b) {
				return true
			}
		}
	}
	return false
}
