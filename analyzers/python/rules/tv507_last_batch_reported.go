package rules

import (
	"github.com/trainvet/trainvet/analyzers/python/syntax"
)

// tv507: what is reported of the whole evaluation is that of its last batch: the
// loop assigns the number, and adds nothing up.
func tv507() Rule {
	return Rule{
		Code:  "TV507",
		Needs: [][]string{{"loader", "batches", "_set"}, {"in val", "in test", "in eval", "in dev", "in enumerate(val", "in enumerate(test", "in enumerate(eval", "in tqdm(", "valid", "evaluate", "def test", "def eval", "_eval("}},
		Quick: loopsToJudge,
		Check: func(f *File, r *Report) {
			f.evalLoops(func(l evalLoop) bool {
				if !named("loader-name", f.Last(l.over)) && f.modelCall(l.loop) == 0 {
					return true // over settings, files, ...: no batches
				}
				for n := range f.Within(l.loop) {
					if f.Kind(n) == syntax.Assign {
						f.lastBatch(r, l, n)
					}
				}
				return true
			})
		},
	}
}

func (f *File) lastBatch(r *Report, l evalLoop, assign syntax.Node) {
	if f.Loop(assign) != l.loop {
		return
	}
	target := f.Child(assign, syntax.RoleTarget)
	if f.Kind(target) != syntax.Tuple {
		f.lastBatchOf(r, l, assign, target)
		return
	}
	for e := range f.ChildrenOf(target, syntax.RoleElement) {
		f.lastBatchOf(r, l, assign, e)
	}
}

func (f *File) lastBatchOf(r *Report, l evalLoop, assign, target syntax.Node) {
	if f.Kind(target) != syntax.Name || !isMetric(string(f.Name(target))) {
		return
	}
	name := string(f.Name(target))
	if f.accumulates(l, f.Child(assign, syntax.RoleValue), map[string]bool{}, 6) || f.kept(l, name) || f.firstOnly(l, assign) {
		return
	}
	use := f.reportedAfter(l, name)
	if use == 0 {
		return
	}
	r.Add(Finding{At: assign, Message: name + " is that of one batch, and what is reported behind the loop is the last one's: the number says nothing of the batches before",
		Related: []Related{{At: use, Message: "reported here for the whole loop"}}})
}

// accumulates reports whether a value is made of something that the loop adds
// to: itself, a sum, a list, a meter. What is not seen through counts too.
func (f *File) accumulates(l evalLoop, value syntax.Node, seen map[string]bool, hops int) bool {
	if value == 0 || hops == 0 {
		return true
	}
	for n := range f.Preorder(value) {
		switch f.Kind(n) {
		case syntax.Attribute:
			if named("metric-object", string(f.Name(n))) && f.Names.IsSelf(f.First(n)) {
				return true
			}
		case syntax.Name:
			name := string(f.Name(n))
			if seen[name] {
				continue
			}
			seen[name] = true
			if f.grows(l, name) {
				return true
			}
			for b := range f.Names.Lookup(n, f.Name(n)) {
				if b.Value != 0 && b.Target != 0 && f.Holds(l.loop, b.Target) && b.Target != f.Child(l.loop, syntax.RoleTarget) && f.Kind(f.assignOf(b.Target)) == syntax.Assign {
					if f.accumulates(l, b.Value, seen, hops-1) {
						return true
					}
				}
			}
		}
	}
	return false
}

func (f *File) assignOf(target syntax.Node) syntax.Node {
	for p := f.Parent(target); p != 0; p = f.Parent(p) {
		if f.Kind(p).IsStatement() {
			return p
		}
	}
	return 0
}

// growers are the methods by which an object takes in what a batch gives.
var growers = map[string]bool{"update": true, "append": true, "extend": true, "add": true, "add_batch": true, "put": true, "push": true, "insert": true, "log": true, "record": true, "accumulate": true, "compute": true, "process": true, "collect": true, "setdefault": true, "item_update": true}

// grows reports whether the loop adds to what a name stands for: +=, x[i] =,
// x.append(), or an assignment from itself.
func (f *File) grows(l evalLoop, name string) bool {
	for n := range f.Within(l.loop) {
		switch f.Kind(n) {
		case syntax.AugAssign:
			if f.baseName(f.Child(n, syntax.RoleTarget)) == name {
				return true
			}
		case syntax.Assign:
			t := f.Child(n, syntax.RoleTarget)
			if f.Kind(t) == syntax.Subscript && f.baseName(t) == name {
				return true
			}
			if f.baseName(t) == name && f.reads(f.Child(n, syntax.RoleValue), name) {
				return true
			}
		case syntax.Call:
			if o := f.Receiver(n); o != 0 && f.baseName(o) == name && (growers[string(f.Name(f.First(n)))] || named("metric-object", name)) {
				return true
			}
			if fun := f.First(n); f.Kind(fun) == syntax.Name && string(f.Name(fun)) == name && named("metric-object", name) {
				return true // metric(pred, target) of torchmetrics keeps what it saw
			}
		}
	}
	return false
}

// baseName is the name that a chain of attributes and subscripts begins with.
func (f *File) baseName(n syntax.Node) string {
	for f.Kind(n) == syntax.Attribute || f.Kind(n) == syntax.Subscript {
		n = f.First(n)
	}
	if f.Kind(n) == syntax.Name {
		return string(f.Name(n))
	}
	return ""
}

func (f *File) reads(n syntax.Node, name string) bool {
	for c := range f.Preorder(n) {
		if f.Kind(c) == syntax.Name && string(f.Name(c)) == name {
			return true
		}
	}
	return false
}

// kept reports whether the loop does something with the number besides naming
// it: adds it up, hands it on, prints it.
func (f *File) kept(l evalLoop, name string) bool {
	for n := range f.Within(l.loop) {
		if f.Kind(n) != syntax.Name || string(f.Name(n)) != name || f.Context(n) != syntax.Load {
			continue
		}
		for c, p := n, f.Parent(n); p != 0 && p != l.loop; c, p = p, f.Parent(p) {
			k := f.Kind(p)
			if k == syntax.AugAssign || k == syntax.Return || k == syntax.Yield || k == syntax.Break {
				return true
			}
			if k == syntax.Call && f.Role(c) != syntax.RoleFunc && !isPrinted(f.Last(f.First(p))) {
				return true // handed on: something else may keep it
			}
			if k == syntax.Assign {
				return true
			}
		}
	}
	return false
}

// isPrinted reports whether a call only shows what it gets.
func isPrinted(name string) bool {
	switch name {
	case "print", "format", "float", "info", "debug", "set_postfix", "set_description", "write", "round", "str":
		return true
	}
	return false
}

// firstOnly reports whether the loop ends at once, or takes the number of one
// batch by a condition.
func (f *File) firstOnly(l evalLoop, assign syntax.Node) bool {
	for n := range f.Within(l.loop) {
		if k := f.Kind(n); (k == syntax.Break || k == syntax.Return) && f.Loop(n) == l.loop {
			return true
		}
	}
	return f.Parent(assign) != l.loop && f.Kind(f.Parent(assign)) != syntax.With
}

// reportedAfter is where a number is returned, printed or logged behind a loop,
// before it is given another value; 0: nowhere.
func (f *File) reportedAfter(l evalLoop, name string) syntax.Node {
	for n := f.Next(f.outOfWith(l.loop)); n != 0; n = f.Next(n) {
		if f.Role(n) == syntax.RoleOrElse {
			continue
		}
		for c := range f.Within(n) {
			if f.Kind(c) != syntax.Name || string(f.Name(c)) != name {
				continue
			}
			if f.Context(c) != syntax.Load {
				if f.reads(f.Child(f.assignOf(c), syntax.RoleValue), name) {
					return 0 // computed on: it may be another number by now
				}
				return 0
			}
			if f.reported(c, n) {
				return c
			}
		}
	}
	return 0
}

// outOfWith is the with around a loop that ends it, or the loop itself.
func (f *File) outOfWith(n syntax.Node) syntax.Node {
	for f.Next(n) == 0 && f.Kind(f.Parent(n)) == syntax.With {
		n = f.Parent(n)
	}
	return n
}

// reported reports whether a use of a name within a statement returns, prints or
// logs it.
func (f *File) reported(use, stmt syntax.Node) bool {
	for p := f.Parent(use); p != 0; p = f.Parent(p) {
		switch k := f.Kind(p); {
		case k == syntax.Return:
			return true
		case k == syntax.Call:
			name := f.Last(f.First(p))
			if isPrinted(name) || name == "log" || name == "add_scalar" || name == "log_metrics" || name == "append" {
				return name != "append"
			}
		case p == stmt && k == syntax.Assign:
			return false
		}
		if p == stmt {
			return false
		}
	}
	return false
}
