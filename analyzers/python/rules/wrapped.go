package rules

import "github.com/trainvet/trainvet/analyzers/python/syntax"

// wrap is a model that is handed to a wrapper of data parallelism.
type wrap struct {
	call, assign syntax.Node
	to, raw      syntax.Node // what the wrapper is assigned to, what it wraps
}

// wraps are those of a file by wrappers of these names, assigned to a name or an
// attribute.
func (f *File) wraps(names ...string) []wrap {
	var out []wrap
	for _, name := range names {
		for call := range f.CallsOf(name) {
			p := f.Parent(call)
			raw := f.ArgOr(call, 0, "module")
			if f.Kind(p) != syntax.Assign || f.Child(p, syntax.RoleValue) != call || raw == 0 {
				continue
			}
			to := f.Child(p, syntax.RoleTarget)
			if k := f.Kind(to); k == syntax.Name || k == syntax.Attribute {
				out = append(out, wrap{call, p, to, raw})
			}
		}
	}
	return out
}

// The names under which torch's wrappers are called.
func dataParallel() []string { return []string{"DistributedDataParallel", "DDP"} }
func fullySharded() []string { return []string{"FullyShardedDataParallel", "FSDP"} }

// callsOfObject are the calls of an object itself: model(x).
func (f *File) callsOfObject(object syntax.Node) []syntax.Node {
	var out []syntax.Node
	for call := range f.CallsOf(f.Last(object)) {
		if f.Same(f.First(call), object) {
			out = append(out, call)
		}
	}
	return out
}
