package guarded

import (
	"slices"

	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// others are the calls, in one function, of what other files may define. Most
// are never asked about.
type others struct {
	calls []syntax.Node
	asked int
	done  []bool             // by call
	given map[string][]int32 // calls by the variables that they are handed, as a whole
}

// left reports whether one was not asked about yet.
func (o *others) left() bool { return o.asked < len(o.calls) }

// of are those that are handed one of these variables and were not asked about,
// in the order of the source.
func (o *others) of(a *Analyzer, related map[string]bool) []int32 {
	if o.given == nil {
		o.list(a)
	}
	var out []int32
	for k := range related {
		for _, i := range o.given[k] {
			if !o.done[i] {
				o.done[i] = true
				out = append(out, i)
			}
		}
	}
	o.asked += len(out)
	slices.Sort(out)
	return out
}

func (o *others) list(a *Analyzer) {
	o.done, o.given = make([]bool, len(o.calls)), map[string][]int32{}
	for i, call := range o.calls {
		for k := range a.given(call) {
			o.given[k] = append(o.given[k], int32(i))
		}
	}
}

// askOthers looks at functions of other files that are given one of these
// variables. It reports whether one of them is a guard.
func (f *function) askOthers(related map[string]bool) bool {
	found := false
	for _, i := range f.others.of(f.a, related) {
		call := f.others.calls[i]
		if g := f.a.foreignGuard(call, f.a.tree.First(call)); g.arg != 0 {
			f.addGuard(call, g)
			found = true
		}
	}
	if found {
		f.sort()
		f.forget()
	}
	return found
}

// maxRelated bounds the variables that ids are looked for in.
const maxRelated = 64

// related are the variables that ids are taken from, whatever lies between.
func (f *function) related(ids syntax.Node) map[string]bool {
	if !f.others.left() {
		return nil // nobody will ask
	}
	if f.a.tree.Kind(ids) != syntax.Name {
		return f.kinOf(ids)
	}
	name := string(f.a.tree.Name(ids))
	if _, ok := f.kin[name]; !ok {
		if f.kin == nil {
			f.kin = map[string]map[string]bool{}
		}
		f.kin[name] = f.kinOf(ids)
	}
	return f.kin[name]
}

func (f *function) kinOf(ids syntax.Node) map[string]bool {
	out := map[string]bool{}
	var add func(n syntax.Node)
	add = func(n syntax.Node) {
		for c := range f.a.tree.Preorder(n) {
			k := f.a.key(c)
			if k == "" || out[k] || len(out) >= maxRelated {
				continue
			}
			out[k] = true
			for _, i := range f.byHead[head(k)] {
				if d := &f.defs[i]; d.value != 0 && d.defines(k) {
					root, _, _ := f.a.base(d.value)
					if f.a.tree.Kind(root) != syntax.Call || f.a.takesOne(root) {
						add(root)
					}
				}
			}
		}
	}
	add(ids)
	return out
}

// takesOne reports whether a call is given one thing, as what hands it on does:
// what is made of many is no check of one of them.
func (a *Analyzer) takesOne(call syntax.Node) bool {
	arg := a.tree.Child(call, syntax.RoleArg)
	return arg != 0 && a.tree.Child(call, syntax.RoleKeyword) == 0
}

// forget drops what was followed with fewer guards.
func (f *function) forget() {
	clear(f.solved)
	clear(f.reach)
	f.open = f.open[:0]
}
